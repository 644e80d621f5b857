import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { makeGroup } from "../helpers/group.ts";
import { tempDir } from "../helpers/temp-dir.ts";

const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("a grade that %s ends leaves no temporary folder, and has its status", async (signal, status) => {
  using temporary = tempDir();
  using group = makeGroup({
    base: { "f.py": "x = 1\n" },
    rollouts: {
      one: { files: { "f.py": "x = 2\n" }, advantage: 1 },
      two: { files: { "f.py": "x = 3\n" }, advantage: 1 },
    },
    tests: { command: "sleep 60" },
  });
  const child = spawn(process.execPath, [main, "grade", group.dir, "--sandbox", "bubblewrap"], {
    env: { ...process.env, TMPDIR: temporary.path },
    stdio: "ignore",
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const begun = () =>
    readdirSync(temporary.path, { recursive: true, encoding: "utf8" }).some((name) =>
      name.endsWith("trace.jsonl"),
    );
  while (!begun() && child.exitCode === null) await delay(20);
  // By now the tests run.
  await delay(1000);
  expect([child.exitCode, begun()]).toEqual([null, true]);
  child.kill(signal);
  expect(await ended).toBe(status);
  expect(readdirSync(temporary.path)).toEqual([]);
});
