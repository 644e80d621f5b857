import { spawn } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { reapCgroups } from "../../src/sandbox/cgroup.ts";
import { connectEngine } from "../../src/sandbox/docker-engine.ts";
import { LABEL } from "../../src/sandbox/docker-options.ts";
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

test.each([
  ["docker", "dockerSandbox", "40001"],
  ["bubblewrap", "bubblewrapSandbox", "40002"],
])("what runs in %s ends with a grader that is killed", async (file, factory, seconds) => {
  const script = `
    import { ${factory} } from "./dist/sandbox/${file}.js";
    const box = await ${factory}().open();
    void box.run({ argv: ["/bin/sh", "-c", "(setsid sleep ${seconds} &) ; sleep ${seconds}"] });`;
  const grader = spawn(process.execPath, ["--input-type=module", "-e", script], {
    cwd: root,
    stdio: "inherit",
  });
  expect(await until(async () => (await sleepers(seconds)) === 2)).toBe(true);
  grader.kill("SIGKILL");
  expect(await until(async () => (await sleepers(seconds)) === 0)).toBe(true);
});

test("what a killed grader left is removed by the next one, and nothing else is", async () => {
  const engine = await connectEngine();
  const ours = async () =>
    (await engine.listContainers({ all: true, filters: { label: [LABEL] } })).map(({ State }) => State);
  expect(await until(async () => !(await ours()).includes("running"))).toBe(true);
  // One that has just ended may still be looked at by its owner.
  const before = (await ours()).length;
  await reap(engine);
  expect((await ours()).length).toBe(before);
  await reap(engine, 0);
  expect(await ours()).toEqual([]);
  await reapCgroups();
  const groups = await readdir("/sys/fs/cgroup", { recursive: true }).catch(() => []);
  const dead = groups
    .map((path) => /\/gagar-(\d+)-\d+$/.exec(path)?.[1])
    .filter((id) => id !== undefined)
    .filter((id) => !groupIsOwned(id));
  expect(dead).toEqual([]);
});

function groupIsOwned(id: string): boolean {
  try {
    process.kill(Number(id), 0);
    return true;
  } catch {
    return false;
  }
}
