import type { Trajectory } from "../../schema/trajectory.ts";
import type { Note } from "../notes.ts";
import { maskTrajectory } from "../secrets.ts";
import { anthropic } from "./anthropic.ts";
import { atif } from "./atif.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { codexExec } from "./codex-exec.ts";
import { type Content, readings } from "./content.ts";
import { inspect } from "./inspect.ts";
import { miniSweAgent } from "./mini-swe-agent.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import { openhands } from "./openhands.ts";
import { openhandsSdk } from "./openhands-sdk.ts";
import { safeJson } from "./parts.ts";
import { r2eGym } from "./r2e-gym.ts";
import type { TrajectoryReader } from "./reader.ts";
import { sweagent } from "./sweagent.ts";
import { terminal } from "./terminal.ts";
import { terminalCast } from "./terminal-cast.ts";
import { readUnknown, withRest } from "./text.ts";
import { decodeText, isBlank } from "../unicode.ts";

/** Most telling first: the first that matches reads. A new format is one file and one line here. */
const READERS: readonly TrajectoryReader[] = [
  atif,
  inspect,
  sweagent,
  miniSweAgent,
  r2eGym,
  claudeCode,
  codex,
  codexExec,
  openhandsSdk,
  openhands,
  openaiResponses,
  anthropic,
  openaiChat,
  terminalCast,
  terminal,
];

/**
 * A trajectory from the bytes of its file, or undefined when there is nothing in it. Damage becomes notes, secrets are
 * masked.
 */
export function readTrajectoryBytes(bytes: Buffer, note: Note): Trajectory | undefined {
  if (isBlank(bytes)) {
    note("trajectory_empty", "is empty; treated as not given");
    return undefined;
  }
  return maskTrajectory(readBytes(bytes, note), note);
}

/** The same from a text. */
export function readTrajectoryText(text: string, note: Note): Trajectory | undefined {
  return readTrajectoryBytes(Buffer.from(text), note);
}

function readBytes(bytes: Buffer, note: Note): Trajectory {
  for (const content of readings(bytes)) {
    const trajectory = readContent(content, note);
    if (trajectory !== undefined) return trajectory;
  }
  return keepAsText(decodeText(bytes).text, note);
}

/** A trajectory from a JSON value that stands in the group itself. */
export function readTrajectoryValue(value: unknown, note: Note): Trajectory | undefined {
  if (typeof value === "string") return readTrajectoryText(value, note);
  const trajectory = readContent({ kind: "document", value }, note) ?? keepAsText(safeJson(value), note);
  return maskTrajectory(trajectory, note);
}

/** A trajectory from records that were put together from several files. */
export function readTrajectoryContent(content: Content & { kind: "lines" }, note: Note): Trajectory {
  const texts = content.entries.map((entry) => ("value" in entry ? safeJson(entry.value) : entry.text));
  return maskTrajectory(readContent(content, note) ?? keepAsText(texts.join("\n"), note), note);
}

function readContent(content: Content, note: Note): Trajectory | undefined {
  const reader = READERS.find((candidate) => candidate.matches(content));
  const trajectory = reader === undefined ? undefined : readWith(reader, content, note);
  if (trajectory === undefined) return undefined;
  if (content.kind === "lines") {
    for (const entry of content.entries)
      if ("reason" in entry) note("record_damaged", entry.reason, { line: entry.line });
    return trajectory;
  }
  if (content.kind === "text" || content.rest === undefined) return trajectory;
  note("json_damaged", `${content.rest.reason}; what follows is kept as text`, { line: content.rest.line });
  return withRest(trajectory, content.rest.text);
}

function readWith(reader: TrajectoryReader, content: Content, note: Note): Trajectory | undefined {
  try {
    return reader.read(content, note);
  } catch (error) {
    note("reader_failed", `the ${reader.format} reader failed: ${String(error)}`);
    return undefined;
  }
}

function keepAsText(text: string, note: Note): Trajectory {
  note("trajectory_unknown", "in no format that is known; kept as text");
  return readUnknown(text);
}
