import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openLog } from "../../src/workspace/log.ts";
import { tempDir } from "../helpers/temp-dir.ts";

test("records come back in order, to this process and to the next; a line cut off by a crash is passed over", async () => {
  using dir = tempDir();
  const path = join(dir.path, "x.jsonl");
  const log = openLog<{ n: number }>(path);
  expect(await log.read()).toEqual([]);
  await Promise.all([1, 2, 3].map((n) => log.append({ n })));
  expect(await log.read()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  appendFileSync(path, '{"n":4');
  expect(await openLog(path).read()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
});

test("an update sees everything that was appended before it, and nothing comes between", async () => {
  using dir = tempDir();
  const log = openLog<number>(join(dir.path, "x.jsonl"));
  await Promise.all(Array.from({ length: 20 }, () => log.update((known) => known.length)));
  expect(await log.read()).toEqual(Array.from({ length: 20 }, (_, n) => n));
  await log.update(() => undefined);
  expect(readFileSync(join(dir.path, "x.jsonl"), "utf8").split("\n")).toHaveLength(21);
});
