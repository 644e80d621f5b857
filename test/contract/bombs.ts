import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { processesWith } from "../helpers/processes.ts";
import type { Box, Command, Limits, RunResult, Sandbox } from "../../src/sandbox/types.ts";

const MIB = 1024 * 1024;
/** Small, so that what fills them does so at once. */
const LIMITS: Partial<Limits> = {
  wall_ms: 20_000,
  output_bytes: 8 * MIB,
  memory_bytes: 128 * MIB,
  pids: 48,
  file_bytes: 64 * MIB,
  work_bytes: 8 * MIB,
  work_files: 500,
  temp_bytes: 8 * MIB,
};
const TIMES = 10;
/** What the grader's own memory may grow by over ten bombs, in bytes: less than a tenth of what they print or take. */
const GROWTH = 96 * MIB;

/** A program, how it has to end, and for one that ends by itself what it says. */
type Bomb = [name: string, script: string, outcome: RunResult["outcome"], wall_ms?: number, says?: RegExp];

const BOMBS: Bomb[] = [
  ["a fork bomb", "import os\nwhile True:\n  try: os.fork()\n  except OSError: pass", "timed_out", 500],
  ["a memory bomb", "x = []\nwhile True: x.append(b'x' * (1 << 24))", "out_of_memory"],
  [
    "1 GB of output",
    "import sys\nfor _ in range(1024): sys.stdout.buffer.write(b'y' * (1 << 20))",
    "output_limit",
  ],
  [
    "a process that no signal moves",
    "import signal, time\nfor s in range(1, 32):\n  try: signal.signal(s, signal.SIG_IGN)\n  except OSError: pass\nwhile True: time.sleep(1)",
    "timed_out",
    400,
  ],
  ["a busy loop", "while True: pass", "timed_out", 300],
  [
    "a daemon",
    "import os, time\nif os.fork() == 0:\n  os.setsid()\n  if os.fork() == 0:\n    for fd in range(3): os.close(fd)\n    time.sleep(600)\n  os._exit(0)\nprint('left a daemon')",
    "exited",
    20_000,
    /^left a daemon$/,
  ],
  [
    "a full disk",
    "try:\n  with open('fill', 'wb', 0) as file:\n    while True: file.write(b'x' * (1 << 20))\nexcept OSError as error: print(error.strerror)",
    "exited",
    20_000,
    /^No space left on device$/,
  ],
  [
    "no inode left",
    "n = 0\ntry:\n  while True:\n    open(f'f{n}', 'w').close()\n    n += 1\nexcept OSError as error: print(error.strerror)",
    "exited",
    20_000,
    /^No space left on device$/,
  ],
];

export interface SandboxUnderBombs {
  make: () => Sandbox;
  /** What boxes of this sandbox hold on the host: containers, or control groups and processes. */
  leftovers: () => Promise<string[]>;
}

/** Everything that goes off, ten times in a row in one box. */
export function bombContract(name: string, { make, leftovers }: SandboxUnderBombs): void {
  describe(`ten times in a row: ${name}`, () => {
    let sandbox: Sandbox;
    let box: Box;
    let resting: number;
    beforeAll(async () => {
      sandbox = make();
      box = await sandbox.open({ limits: LIMITS });
      expect(await box.run(works)).toMatchObject({ outcome: "exited", exit_code: 0 });
      resting = (await leftovers()).length;
    });
    afterAll(async () => {
      await sandbox.close();
      expect(await leftovers()).toEqual([]);
    });

    test.each(BOMBS)("%s", { timeout: 120_000 }, async (_name, script, outcome, wall_ms, says) => {
      const memory = process.memoryUsage().rss;
      for (let time = 0; time < TIMES; time += 1) {
        const mark = `bomb-${randomUUID()}`;
        await box.lay({});
        const going = box.run({
          argv: ["python3", "-c", script, mark],
          ...(wall_ms === undefined ? {} : { wall_ms }),
        });
        // Positive control: while it runs it is seen.
        if (outcome === "timed_out") expect(await until(() => processesWith(mark), going)).not.toEqual([]);
        const result = await going;
        expect([time, result.outcome]).toEqual([time, outcome]);
        if (says !== undefined) expect(result.stdout.toString().trim()).toMatch(says);
        expect(await processesWith(mark)).toEqual([]);
        // The next check works, in a box that holds nothing of this one.
        const next = await box.run(works);
        expect([time, next.outcome, next.stdout.toString()]).toEqual([time, "exited", "works\n"]);
      }
      expect((await leftovers()).length).toBe(resting);
      expect(process.memoryUsage().rss - memory).toBeLessThan(GROWTH);
    });
  });
}

const works: Command = { argv: ["/bin/sh", "-c", "echo works"] };

/** What is found at last, or nothing when the run ends before. */
async function until(look: () => Promise<string[]>, run: Promise<unknown>): Promise<string[]> {
  let ended = false;
  void run.then(() => (ended = true));
  for (;;) {
    const found = await look();
    if (found.length > 0 || ended) return found;
    await delay(10);
  }
}
