import { appendFile, readFile } from "node:fs/promises";

/** An append-only file of JSON lines in the workspace: findings, the trace. One process writes it. */
export interface Log<T> {
  append(record: T): Promise<void>;
  /** All whole records. A last line cut off by a crash is passed over. */
  read(): Promise<T[]>;
  /** Appends what `decide` makes of all records, or nothing; no other append comes between. */
  update(decide: (records: T[]) => T | undefined): Promise<void>;
}

export function openLog<T>(path: string): Log<T> {
  let queue: Promise<unknown> = Promise.resolve();
  /** What the file holds. Nobody else writes it, so it is read once. */
  let records: T[] | undefined;
  const inTurn = <R>(work: () => Promise<R>): Promise<R> => {
    const done = queue.then(work);
    queue = done.catch(() => {});
    return done;
  };
  const load = async (): Promise<T[]> =>
    (records ??= parseLines(await readFile(path, "utf8").catch(() => "")));
  const write = async (record: T) => {
    const known = await load();
    await appendFile(path, `${JSON.stringify(record)}\n`);
    known.push(record);
  };
  return {
    append: (record) => inTurn(() => write(record)),
    read: () => inTurn(async () => [...(await load())]),
    update: (decide) =>
      inTurn(async () => {
        const record = decide([...(await load())]);
        if (record !== undefined) await write(record);
      }),
  };
}

function parseLines<T>(text: string): T[] {
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  return whole
    .split("\n")
    .filter((line) => line !== "")
    .map((line): T => JSON.parse(line));
}
