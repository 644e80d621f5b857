import type { Trajectory } from "../../schema/trajectory.ts";
import type { Note } from "../notes.ts";
import { atif } from "./atif.ts";
import { claudeCode } from "./claude-code.ts";
import { type Content, parseContent } from "./content.ts";
import { miniSweAgent } from "./mini-swe-agent.ts";
import { openaiChat } from "./openai-chat.ts";
import { safeJson } from "./parts.ts";
import type { TrajectoryReader } from "./reader.ts";
import { sweagent } from "./sweagent.ts";
import { readText, withRest } from "./text.ts";

/** Most telling first: the first that matches reads. A new format is one file and one line here. */
const READERS: readonly TrajectoryReader[] = [atif, miniSweAgent, sweagent, claudeCode, openaiChat];

/** A trajectory from the text of its file, or undefined when there is nothing in it. Damage becomes notes. */
export function readTrajectoryText(text: string, note: Note): Trajectory | undefined {
  if (text.trim() === "") {
    note("trajectory_empty", "is empty; treated as not given");
    return undefined;
  }
  const content = parseContent(text);
  return readContent(content, note) ?? keepAsText(text, content, note);
}

/** A trajectory from a JSON value that stands in the group itself. */
export function readTrajectoryValue(value: unknown, note: Note): Trajectory | undefined {
  if (typeof value === "string") return readTrajectoryText(value, note);
  return readContent({ kind: "document", value }, note) ?? keepAsText(safeJson(value), undefined, note);
}

function readContent(content: Content, note: Note): Trajectory | undefined {
  const reader = READERS.find((candidate) => candidate.matches(content));
  if (reader === undefined) return undefined;
  if (content.kind === "lines")
    for (const entry of content.entries)
      if ("reason" in entry) note("record_damaged", entry.reason, { line: entry.line });
  const trajectory = readWith(reader, content, note);
  if (trajectory === undefined) return undefined;
  const rest = content.kind === "document" ? content.rest : undefined;
  if (rest === undefined) return trajectory;
  note("json_damaged", `${rest.reason}; what follows is kept as text`, { line: rest.line });
  return withRest(trajectory, rest.text);
}

function readWith(reader: TrajectoryReader, content: Content, note: Note): Trajectory | undefined {
  try {
    return reader.read(content, note);
  } catch (error) {
    note("reader_failed", `the ${reader.format} reader failed: ${String(error)}`);
    return undefined;
  }
}

function keepAsText(text: string, content: Content | undefined, note: Note): Trajectory {
  const rest = content?.kind === "document" ? content.rest : undefined;
  if (rest !== undefined) note("json_damaged", rest.reason, { line: rest.line });
  note("trajectory_unknown", "in no format that is known; kept as text");
  return readText(text);
}
