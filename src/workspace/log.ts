import { appendFile, readFile } from "node:fs/promises";

/** An append-only file of JSON lines in the workspace: findings, the trace. */
export interface Log<T> {
  append(record: T): Promise<void>;
  /** All whole records. A last line cut off by a crash is passed over. */
  read(): Promise<T[]>;
  /** Appends what `decide` makes of all records, or nothing; no other append comes between. */
  update(decide: (records: T[]) => T | undefined): Promise<void>;
}

export function openLog<T>(path: string): Log<T> {
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = <R>(work: () => Promise<R>): Promise<R> => {
    const done = queue.then(work);
    queue = done.catch(() => {});
    return done;
  };
  const write = (record: T) => appendFile(path, `${JSON.stringify(record)}\n`);
  const load = async (): Promise<T[]> => {
    const text = await readFile(path, "utf8").catch(() => "");
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    return whole
      .split("\n")
      .filter((line) => line !== "")
      .map((line): T => JSON.parse(line));
  };
  return {
    append: (record) => inTurn(() => write(record)),
    read: () => inTurn(load),
    update: (decide) =>
      inTurn(async () => {
        const record = decide(await load());
        if (record !== undefined) await write(record);
      }),
  };
}
