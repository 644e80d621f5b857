import type { Trajectory, TrajectoryFormat } from "../../schema/trajectory.ts";
import type { Note } from "../notes.ts";
import type { Content } from "./content.ts";

/**
 * One trajectory format. `matches` looks at content only, never at file names, and must be cheap. `read` leaves out
 * nothing without a note and does not throw on odd values.
 */
export interface TrajectoryReader {
  format: TrajectoryFormat;
  matches(content: Content): boolean;
  read(content: Content, note: Note): Trajectory;
}
