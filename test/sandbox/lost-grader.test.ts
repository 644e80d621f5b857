import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { reapCgroups } from "../../src/sandbox/cgroup.ts";
import { connectEngine } from "../../src/sandbox/docker-engine.ts";
import { OWNER_LABEL } from "../../src/sandbox/docker-options.ts";
import { reap } from "../../src/sandbox/docker.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Sleepers of one test, known by their odd time, wherever they run on this machine. */
async function sleepers(seconds: string): Promise<number> {
  let found = 0;
  for (const id of await readdir("/proc"))
    if (/^\d+$/.test(id)) {
      const line = await readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "");
      if (line === `sleep\0${seconds}\0`) found += 1;
    }
  return found;
}

async function until(holds: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await holds()) return true;
    await delay(100);
  }
  return false;
}

async function killGrader(file: string, factory: string, seconds: string): Promise<number> {
  const script = `
    import { ${factory} } from "./dist/sandbox/${file}.js";
    const box = await ${factory}().open();
    void box.run({ argv: ["/bin/sh", "-c", "(setsid sleep ${seconds} &) ; sleep ${seconds}"] });`;
  const argv = ["--input-type=module", "-e", script];
  const grader = spawn(process.execPath, argv, { cwd: root, stdio: "inherit" });
  expect(await until(async () => (await sleepers(seconds)) === 2)).toBe(true);
  grader.kill("SIGKILL");
  expect(await until(async () => (await sleepers(seconds)) === 0)).toBe(true);
  return grader.pid ?? 0;
}

test("a container ends with its grader, and the next grader removes it", async () => {
  const owner = `${hostname()}:${await killGrader("docker", "dockerSandbox", "40001")}`;
  const engine = await connectEngine();
  const label = [`${OWNER_LABEL}=${owner}`];
  const states = async () =>
    (await engine.listContainers({ all: true, filters: { label } })).map(({ State }) => State);
  expect(await until(async () => (await states()).join() === "exited")).toBe(true);
  // One that has just ended may still be looked at by its owner.
  expect(await reap(engine, 60_000, owner)).toBe(0);
  expect(await reap(engine, 0, owner)).toBe(1);
  expect(await states()).toEqual([]);
});

test("what bubblewrap runs ends with its grader, and the next grader removes its control groups", async () => {
  const id = await killGrader("bubblewrap", "bubblewrapSandbox", "40002");
  const groups = async () =>
    (await readdir("/sys/fs/cgroup", { recursive: true }).catch(() => [])).filter((path) =>
      path.includes(`gagar-${id}-`),
    );
  // Whether there are any depends on the machine.
  await reapCgroups();
  expect(await groups()).toEqual([]);
});
