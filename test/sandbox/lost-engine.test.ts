import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startEngine } from "../../scripts/lib/engine.mjs";
import { connectEngine } from "../../src/sandbox/docker-engine.ts";
import { dockerSandbox, reap } from "../../src/sandbox/docker.ts";
import { processesWith } from "../helpers/processes.ts";
import { buildImage } from "../../src/sandbox/image/build.ts";

const TIMES = 10;
/** An odd time, by which the process is known on the host. */
const SLEEP = "60.4711";

/** The engine of this test keeps its image between runs. */
const data = fileURLToPath(new URL("../../out/services/lost-engine", import.meta.url));

test("ten times in a row: an engine that is killed fails the command that runs, and when it is back the same box goes on", async () => {
  mkdirSync(data, { recursive: true });
  const before = process.env["DOCKER_HOST"];
  const run = mkdtempSync(join(tmpdir(), "gagar-engine-"));
  const options = { data, run, log: `${data}.log` };
  let engine = await startEngine(options);
  try {
    process.env["DOCKER_HOST"] = engine.host;
    expect(await buildImage(() => {})).toMatchObject({ image: true });
    const sandbox = dockerSandbox();
    const box = await sandbox.open();
    await box.lay({
      files: () => [{ path: "x", kind: "file", executable: false, content: Buffer.from("laid") }],
    });
    for (let time = 0; time < TIMES; time += 1) {
      const running = box.run({ argv: ["sleep", SLEEP] });
      await delay(500);
      expect(await processesWith(SLEEP)).not.toEqual([]);
      await engine.stop("SIGKILL");
      const killed = performance.now();
      expect([time, await running]).toMatchObject([time, { outcome: "sandbox_failed" }]);
      expect(performance.now() - killed).toBeLessThan(5000);
      expect(await box.run({ argv: ["true"] })).toMatchObject({
        outcome: "unavailable",
        reason: expect.stringContaining("no container engine answers"),
      });
      expect(await sandbox.describe()).toMatchObject({ available: false });

      engine = await startEngine(options);
      const result = await box.run({ argv: ["cat", "x"] });
      expect([time, { ...result, stdout: result.stdout.toString() }]).toMatchObject([
        time,
        { outcome: "exited", stdout: "laid" },
      ]);
    }
    await sandbox.close();
    const client = await connectEngine();
    await reap(client, 0);
    expect(await client.listContainers({ all: true })).toEqual([]);
    expect(await processesWith(SLEEP)).toEqual([]);
    expect((await client.listVolumes()).Volumes).toEqual([]);
  } finally {
    if (before === undefined) delete process.env["DOCKER_HOST"];
    else process.env["DOCKER_HOST"] = before;
    await engine.stop();
    // An engine that was killed leaves its folder mounted on itself, once for each start.
    while (spawnSync("umount", [data], { stdio: "ignore" }).status === 0);
    rmSync(run, { recursive: true, force: true });
  }
}, 180_000);
