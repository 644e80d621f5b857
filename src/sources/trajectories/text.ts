import type { Trajectory, TrajectoryEvent } from "../../schema/trajectory.ts";
import { wellFormed } from "../unicode.ts";

/** Longest text of one event, in characters, where a record has no structure to go by. */
const CHUNK = 16_000;

/** A record of unknown format, kept whole: context events of turn 0 whose texts joined are the record. */
export function readUnknown(text: string): Trajectory {
  return { format: "text", events: contextEvents(text, 0, 0) };
}

/** The trajectory with a stretch that could not be read as context at its end. */
export function withRest(trajectory: Trajectory, rest: string): Trajectory {
  const turn = trajectory.events.at(-1)?.turn ?? 0;
  const used = trajectory.events.filter((event) => event.turn === turn && event.kind === "context").length;
  return { ...trajectory, events: [...trajectory.events, ...contextEvents(rest, turn, used)] };
}

function contextEvents(text: string, turn: number, used: number): TrajectoryEvent[] {
  return chunks(wellFormed(text)).map((chunk, index) => ({
    id: `t${turn}.x${used + index + 1}`,
    turn,
    kind: "context",
    role: "env",
    text: chunk,
  }));
}

/** Pieces of at most CHUNK characters, cut behind a line where there is one, never inside a character. */
function chunks(text: string): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + CHUNK, text.length);
    if (to < text.length) {
      const line = text.lastIndexOf("\n", to - 1);
      if (line > from) to = line + 1;
      else if (/[\uDC00-\uDFFF]/.test(text.charAt(to))) to--;
    }
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}
