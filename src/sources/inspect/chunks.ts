import type { Note } from "../notes.ts";
import { asInteger, asList, isObject, type JsonObject } from "../shape.ts";

/** Reads one entry of an archive as JSON; undefined, with a note, when it cannot be read. */
export type ReadEntry = (name: string) => unknown;

const ENTRY = /^(samples\/[^/]+)\/(?:(messages|events|attachments)\/(\d{1,12})|sample|metadata)\.json$/;

/**
 * Samples that stand in many entries, as Inspect's chunked layout has them: `samples/<id>_epoch_<n>/sample.json` with
 * everything but the sequences, and each sequence as `<sequence>/<index of its first item>.json`. The folders of the
 * samples, in the order of the archive, with the names of their entries.
 * Source: UKGovernmentBEIS/inspect_ai, design/large-samples.md.
 */
export function chunkedSamples(names: readonly string[]): Map<string, string[]> {
  const samples = new Map<string, string[]>();
  for (const name of names) {
    const folder = ENTRY.exec(name)?.[1];
    if (folder === undefined) continue;
    const known = samples.get(folder);
    if (known === undefined) samples.set(folder, [name]);
    else known.push(name);
  }
  return samples;
}

/** Puts a chunked sample together in the shape of one that stands in one entry; undefined, with a note, without its shell. */
export function joinChunks(
  folder: string,
  names: readonly string[],
  read: ReadEntry,
  note: Note,
): JsonObject | undefined {
  const shell = read(`${folder}/sample.json`);
  if (!isObject(shell)) {
    note("sample_unreadable", "a sample in parts, without its sample.json; left out", { field: folder });
    return undefined;
  }
  const metadata = names.includes(`${folder}/metadata.json`) ? read(`${folder}/metadata.json`) : undefined;
  // An entry that is damaged leaves a hole: what refers to other items must not shift.
  const sequence = (kind: string): Map<number, unknown> => {
    const items = new Map<number, unknown>();
    for (const name of names) {
      const [, , of, start] = ENTRY.exec(name) ?? [];
      if (of !== kind || start === undefined) continue;
      for (const [index, item] of asList(read(name)).entries()) items.set(Number(start) + index, item);
    }
    return items;
  };
  const messages = sequence("messages");
  const attachments = Object.fromEntries(sequence("attachments"));
  const { found, lost } = conversation(shell["message_refs"], messages);
  if (lost > 0)
    note("message_unreadable", `${lost} messages stand in no entry that can be read`, {
      field: `${folder}/messages`,
    });
  return {
    ...shell,
    ...(metadata === undefined ? {} : { metadata }),
    messages: found,
    events: [...sequence("events")].sort(([a], [b]) => a - b).map(([, event]) => event),
    attachments,
  };
}

/** Most messages that the ranges of one sample may name. */
const MAX_MESSAGES = 1_000_000;

/** The messages that ranges `[start, end)` name, in their order, and how many of them are nowhere. */
function conversation(
  refs: unknown,
  messages: ReadonlyMap<number, unknown>,
): { found: unknown[]; lost: number } {
  const found: unknown[] = [];
  let left = MAX_MESSAGES;
  let lost = 0;
  for (const range of asList(refs)) {
    const [from, to] = asList(range).map(asInteger);
    if (from === undefined || to === undefined) continue;
    for (let index = from; index < to && left > 0; index++, left--)
      if (messages.has(index)) found.push(messages.get(index));
      else lost++;
  }
  return { found, lost };
}
