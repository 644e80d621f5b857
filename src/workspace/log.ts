import { appendFile, readFile } from "node:fs/promises";

/** An append-only file of JSON lines in the workspace: findings, the trace. */
export interface Log<T> {
  append(record: T): Promise<void>;
  /** All whole records. A last line cut off by a crash is passed over. */
  read(): Promise<T[]>;
}

export function openLog<T>(path: string): Log<T> {
  let queue: Promise<void> = Promise.resolve();
  return {
    append(record) {
      const done = queue.then(() => appendFile(path, `${JSON.stringify(record)}\n`));
      queue = done.catch(() => {});
      return done;
    },
    async read() {
      await queue;
      const text = await readFile(path, "utf8").catch(() => "");
      const whole = text.slice(0, text.lastIndexOf("\n") + 1);
      return whole
        .split("\n")
        .filter((line) => line !== "")
        .map((line): T => JSON.parse(line));
    },
  };
}
