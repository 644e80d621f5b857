import { open, writeFile, type FileHandle } from "node:fs/promises";
import { createWriteStream } from "node:fs";
import { once } from "node:events";
import { TrajectoryEvent, type Trajectory } from "../schema/trajectory.ts";
import { summarizer } from "./summary.ts";
import type { TrajectoryStore } from "./types.ts";

/** Bytes read at once when a trajectory is walked from end to end. */
const CHUNK = 1024 * 1024;

/**
 * Writes a normalised trajectory as one JSON line an event and keeps only ids, offsets and the summary in memory.
 * The offset index is written beside it, so that the files can be read without this process.
 */
export async function storeTrajectory(
  path: string,
  trajectory: Trajectory,
): Promise<TrajectoryStore & { close(): Promise<void> }> {
  const out = createWriteStream(path);
  const ids: string[] = [];
  const offsets: number[] = [0];
  const positions = new Map<string, number>();
  const summary = summarizer();
  const turns = new Set<number>();
  let size = 0;
  for (const event of trajectory.events) {
    const line = Buffer.from(`${JSON.stringify(event)}\n`);
    size += line.length;
    positions.set(event.id, ids.length);
    ids.push(event.id);
    offsets.push(size);
    summary.add(event);
    if (event.role === "agent") turns.add(event.turn);
    if (!out.write(line)) await once(out, "drain");
  }
  out.end();
  await once(out, "finish");
  await writeFile(`${path}.index.json`, JSON.stringify({ ids, offsets }));
  const file = await open(path, "r");
  return {
    format: trajectory.format,
    ...(trajectory.version === undefined ? {} : { version: trajectory.version }),
    ...(trajectory.exit === undefined ? {} : { exit: trajectory.exit }),
    turns: turns.size,
    ids,
    summary: summary.rows,
    async get(id) {
      const index = positions.get(id);
      if (index === undefined) return undefined;
      const start = offsets[index] ?? 0;
      const bytes = await readRange(file, start, offsets[index + 1] ?? start);
      return TrajectoryEvent.parse(JSON.parse(bytes.toString("utf8")));
    },
    events: () => walk(file, offsets),
    close: () => file.close(),
  };
}

async function* walk(file: FileHandle, offsets: readonly number[]): AsyncGenerator<TrajectoryEvent> {
  let first = 0;
  while (first < offsets.length - 1) {
    const start = offsets[first] ?? 0;
    let last = first + 1;
    while (last < offsets.length - 1 && (offsets[last + 1] ?? 0) - start <= CHUNK) last += 1;
    const text = (await readRange(file, start, offsets[last] ?? start)).toString("utf8");
    for (const line of text.split("\n")) if (line !== "") yield TrajectoryEvent.parse(JSON.parse(line));
    first = last;
  }
}

async function readRange(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
  return buffer.subarray(0, bytesRead);
}
