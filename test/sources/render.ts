import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Warning } from "../../src/errors.ts";
import type { Trajectory, TrajectoryEvent } from "../../src/schema/trajectory.ts";
import { notesAt } from "../../src/sources/notes.ts";
import { readTrajectoryText } from "../../src/sources/trajectories/detect.ts";

export const FIXTURES = fileURLToPath(new URL("../fixtures/sources/", import.meta.url));

export function fixture(name: string): string {
  return readFileSync(`${FIXTURES}trajectories/${name}`, "utf8");
}

/** Reads a trajectory text and keeps what was noted, as `code line|field: message`. */
export function readWithNotes(text: string): { trajectory: Trajectory | undefined; notes: string[] } {
  const warnings: Warning[] = [];
  const trajectory = readTrajectoryText(
    text,
    notesAt((warning) => warnings.push(warning), {}),
  );
  const notes = warnings.map(({ code, message, where }) =>
    [code, where.line === undefined ? where.field : `line ${where.line}`, message]
      .filter(Boolean)
      .join(" | "),
  );
  return { trajectory, notes };
}

/** One event as one line: id, role, text, then every other field that is set, but for arguments and times. */
export function renderEvent(event: TrajectoryEvent): string {
  const { id, role, text, tool, command, path, call, status, exit_code, branch } = event;
  const facts = {
    tool,
    command: command === text ? undefined : command,
    path,
    call,
    status,
    exit_code,
    branch,
  };
  const shown = Object.entries(facts).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${value}`],
  );
  return [id, role, JSON.stringify(text), ...shown].join(" ");
}

/** A whole reading as lines: the facts, the events in order, the notes. */
export function renderReading(text: string): string[] {
  const { trajectory, notes } = readWithNotes(text);
  const { events, ...facts } = trajectory ?? { events: [] };
  return [JSON.stringify(facts), ...events.map(renderEvent), ...notes.map((note) => `! ${note}`)];
}
