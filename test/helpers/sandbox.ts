import { spawnSync } from "node:child_process";
import { onPath } from "../../scripts/lib/engine.mjs";
import { runnersImage } from "../../scripts/lib/runners.mjs";
import { sandboxChecks } from "../../src/sandbox/checks.ts";
import { probeEngine } from "../../src/sandbox/docker.ts";
import { IMAGE } from "../../src/sandbox/image/recipe.ts";

/**
 * Tests that need what this machine does not have, with the reason: they are not registered, and the run says so.
 * `npm run verify` starts what is missing where it can.
 */
export async function testsWithoutSandbox(): Promise<{ files: string; reason: string }[]> {
  const checks = await sandboxChecks();
  const missing = checks.filter(({ ok }) => !ok).map(({ name }) => name);
  const docker = ["container engine", "sandbox image"].filter((name) => missing.includes(name));
  const bubblewrap = missing.filter((name) => name === "bubblewrap");
  const root = process.getuid?.() === 0;
  const { status } = root ? spawnSync(process.execPath, ["-e", ""], { uid: 12_345 }) : { status: null };
  const user = status === 0 ? [] : ["Node.js that another user can run", "root to become that user"];
  const engine = root && onPath("dockerd") ? [] : ["dockerd, and root to start it"];
  const runners = docker.length > 0 || (await hasRunners()) ? [] : ["image with more test runners"];
  const podman = (process.env["GAGAR_PODMAN_HOST"] ?? "") === "" ? ["Podman (GAGAR_PODMAN_HOST)"] : [];
  return [
    { files: "test/sandbox/docker*.test.ts", lacks: docker },
    { files: "test/sandbox/docker-podman*.test.ts", lacks: podman },
    { files: "test/sandbox/docker-runners.test.ts", lacks: runners },
    { files: "test/shared/docker*.test.ts", lacks: [...docker, ...runners] },
    { files: "test/sandbox/bubblewrap*.test.ts", lacks: bubblewrap },
    { files: "test/sandbox/lost-engine.test.ts", lacks: [...docker, ...engine] },
    { files: "test/sandbox/lost-grader.test.ts", lacks: [...docker, ...bubblewrap] },
    { files: "test/sandbox/other-user.test.ts", lacks: [...bubblewrap, ...user] },
  ].flatMap(({ files, lacks }) =>
    lacks.length === 0 ? [] : [{ files, reason: `no ${lacks.join(", no ")}` }],
  );
}

/** Whether the engine has the image that `scripts/lib/runners.mjs` makes. */
async function hasRunners(): Promise<boolean> {
  return (await probeEngine(runnersImage(IMAGE))).image;
}
