import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Place } from "../errors.ts";
import type { Trajectory } from "../schema/trajectory.ts";
import { MAX_BYTES, readNamed, statOrMissing } from "./files.ts";
import { resolveInside } from "./inside.ts";
import type { Note, Warn } from "./notes.ts";
import { readTrajectoryContent } from "./trajectories/detect.ts";
import type { LineEntry } from "./trajectories/json-lines.ts";
import { decodeText } from "./unicode.ts";

/** `event-00012-<id>.json` of the SDK, `12.json` of earlier versions. */
const EVENT_FILE = /^(?:event-)?(\d{1,9})(?:-.*)?\.json$/;

/**
 * Whether the path that a rollout names is a folder.
 * @throws GraderError `bad_input` when it leaves the group's folder.
 */
export async function isFolder(root: string, named: string, where: Place): Promise<boolean> {
  const path = await resolveInside(root, named, where);
  const stats = await statOrMissing(path).catch(() => undefined);
  return stats?.isDirectory() === true;
}

/**
 * The trajectory of an OpenHands conversation folder: `events/event-<number>-<id>.json` (or `events/<number>.json`), one
 * event a file, and `base_state.json` with how the conversation stood when it was saved. Undefined, with a warning, for another folder.
 * A file that cannot be read costs its own event.
 * @throws GraderError `bad_input` when a path leaves the group's folder.
 */
export async function readConversation(
  root: string,
  named: string,
  where: Place,
  warn: Warn,
): Promise<Trajectory | undefined> {
  const refuse = (code: string, message: string): void =>
    warn({ code, message, where: { ...where, file: named } });
  const folder = await resolveInside(root, join(named, "events"), where);
  const files = (await readdir(folder).catch(() => []))
    .flatMap((name) => {
      const digits = EVENT_FILE.exec(name)?.[1];
      return digits === undefined ? [] : [{ name: join(named, "events", name), number: Number(digits) }];
    })
    .sort((a, b) => a.number - b.number || (a.name < b.name ? -1 : 1));
  if (files.length === 0) {
    refuse("not_a_file", "a folder without files of events; treated as not given");
    return undefined;
  }
  const gaps = gapsOf(files.map(({ number }) => number));
  if (gaps !== "") refuse("events_missing", `no files for the events ${gaps}`);

  const names = [...files.map(({ name }) => name), join(named, "base_state.json")];
  const entries: LineEntry[] = [];
  let bytes = 0;
  for (const [index, name] of names.entries()) {
    const isState = index === files.length;
    if (isState && (await statOrMissing(join(root, name))) === undefined) continue;
    const read = await readNamed(root, name, where, warn);
    bytes += read?.length ?? 0;
    if (bytes > MAX_BYTES) {
      refuse("file_too_large", `more than ${MAX_BYTES} bytes of events; the rest was not read`);
      break;
    }
    if (read !== undefined) entries.push(entryOf(read, index + 1, isState));
  }
  // The place of an entry is the file that it is in.
  const note: Note = (code, message, { line, field } = {}) => {
    const file = line === undefined ? named : (names[line - 1] ?? named);
    warn({ code, message, where: { ...where, file, ...(field === undefined ? {} : { field }) } });
  };
  return readTrajectoryContent({ kind: "lines", entries }, note);
}

function entryOf(bytes: Buffer, line: number, isState: boolean): LineEntry {
  const { text } = decodeText(bytes);
  try {
    const value: unknown = JSON.parse(text);
    return { line, value: isState ? stateEvent(value) : value };
  } catch (error) {
    return { line, text, reason: `is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** The saved state in the shape in which the SDK sends it as an event. */
function stateEvent(value: unknown): unknown {
  return { kind: "ConversationStateUpdateEvent", source: "environment", key: "full_state", value };
}

/** `1, 7-12`: the numbers that lie between the given ones, which are sorted. */
function gapsOf(numbers: number[]): string {
  const gaps = numbers.flatMap((number, index) => {
    const from = index === 0 ? 0 : (numbers[index - 1] ?? 0) + 1;
    if (from >= number) return [];
    return from === number - 1 ? `${from}` : `${from}-${number - 1}`;
  });
  return gaps.length > 8 ? `${gaps.slice(0, 8).join(", ")} and others` : gaps.join(", ");
}
