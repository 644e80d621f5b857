import { afterEach, beforeEach, expect, test } from "vitest";
import { sandboxChecks } from "../../src/sandbox/checks.ts";
import { openPool } from "../../src/sandbox/pool.ts";
import { selectSandbox } from "../../src/sandbox/select.ts";
import type { Box, Work } from "../../src/sandbox/types.ts";
import { unavailableSandbox } from "../../src/sandbox/unavailable.ts";

const kept = { DOCKER_HOST: process.env["DOCKER_HOST"], PATH: process.env["PATH"] };
const set = (name: string, value: string | undefined) => {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
};
// A machine with neither: nothing listens there, and no program is found.
beforeEach(() => {
  set("DOCKER_HOST", "unix:///nonexistent/docker.sock");
  set("PATH", "/nonexistent");
});
afterEach(() => {
  set("DOCKER_HOST", kept.DOCKER_HOST);
  set("PATH", kept.PATH);
});

test.each([
  ["auto", "none", /docker: no container engine.*nonexistent.*set DOCKER_HOST; bubblewrap: .*not installed/],
  ["none", "none", /--sandbox none/],
  ["docker", "docker", /no container engine answers at DOCKER_HOST/],
  ["bubblewrap", "bubblewrap", /not installed/],
] as const)(
  "--sandbox %s on a machine without any: %s, and its boxes say why",
  async (choice, name, reason) => {
    const sandbox = await selectSandbox(choice);
    expect(sandbox.name).toBe(name);
    expect(await sandbox.describe()).toMatchObject({
      name,
      available: false,
      found: expect.stringMatching(reason),
    });
    const box = await sandbox.open();
    await box.put("x", () => []);
    await box.lay({ from: "x" });
    const failed = { outcome: "unavailable", reason: expect.stringMatching(reason) };
    expect(await box.run({ argv: ["true"] })).toMatchObject(failed);
    expect(await box.read("x", 1)).toMatchObject(failed);
    await sandbox.close();
  },
);

test("the doctor's rows are never needed, and each that is not well says what to do", async () => {
  const rows = await sandboxChecks();
  expect(rows.map(({ name, ok, needed }) => [name, ok, needed])).toEqual([
    ["container engine", false, false],
    ["sandbox image", false, false],
    ["bubblewrap", false, false],
  ]);
  for (const { advice } of rows) expect(advice).not.toBe("");
});

/** A box of which only laying and closing count. */
async function countingPool(size: number) {
  const log = { opened: 0, closed: 0, laid: [] as Work[], most: 0, now: 0 };
  const box = await unavailableSandbox("for the test").open();
  const pool = openPool(size, async (): Promise<Box> => {
    log.opened += 1;
    if (log.opened === 1) throw new Error("the first one does not open");
    return {
      ...box,
      lay: async (work) => {
        log.laid.push(work);
      },
      close: async () => {
        log.closed += 1;
      },
    };
  });
  return { log, pool };
}

test("a pool lays before each use, keeps to its size, and a failure costs only its own task", async () => {
  const { log, pool } = await countingPool(2);
  const results = await Promise.allSettled(
    Array.from({ length: 7 }, (_, index) =>
      pool.use({ from: `r${index}` }, async () => {
        log.now += 1;
        log.most = Math.max(log.most, log.now);
        await new Promise((resolve) => setTimeout(resolve, 5));
        log.now -= 1;
        if (index === 3) throw new Error("a task fails");
        return index;
      }),
    ),
  );
  const failed = results.flatMap((result, index) =>
    result.status === "rejected" ? [[index, String(result.reason)]] : [],
  );
  expect(failed).toEqual([
    [0, "Error: the first one does not open"],
    [3, "Error: a task fails"],
  ]);
  expect(new Set(log.laid.map(({ from }) => from))).toEqual(new Set(["r1", "r2", "r3", "r4", "r5", "r6"]));
  await pool.close();
  expect(log).toMatchObject({ opened: 3, closed: 2, most: 2 });
});
