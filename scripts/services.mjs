// What the tests need besides Node.js and git: a container engine, bubblewrap, the default image, and one with more test
// runners. As root on Debian all of it is installed and started here; elsewhere what is missing is named loudly, and its
// tests are left out.
// `startServices` sets DOCKER_HOST when it starts an engine, GAGAR_PODMAN_HOST when it starts Podman, and returns `stop`,
// which ends exactly what was started.
import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onPath, startEngine } from "./lib/engine.mjs";
import { startPodman } from "./lib/podman.mjs";

const out = fileURLToPath(new URL("../out/services", import.meta.url));

/** Programs and the Debian packages that they come in. */
const PACKAGES = {
  dockerd: "docker.io",
  bwrap: "bubblewrap",
  mmdebstrap: "mmdebstrap",
  podman: "podman",
  catatonit: "catatonit",
};

export async function startServices() {
  mkdirSync(out, { recursive: true });
  const loud = (line) => console.warn(`\nNOT STARTED: ${line}\n`);
  const missing = Object.keys(PACKAGES).filter((program) => !onPath(program));
  if (missing.length > 0 && isRootOnDebian())
    install(
      missing.map((program) => PACKAGES[program]),
      loud,
    );
  for (const program of missing)
    if (!onPath(program)) loud(`${program} is not installed (Debian package ${PACKAGES[program]})`);

  const { probeEngine } = await import("../dist/sandbox/docker.js");
  const { buildImage } = await import("../dist/sandbox/image/build.js");
  let engine;
  if ((await probeEngine()).engine === undefined)
    try {
      engine = await startEngine({ data: join(out, "docker"), log: join(out, "dockerd.log") });
      process.env.DOCKER_HOST = engine.host;
    } catch (error) {
      loud(`a container engine: ${error.message}`);
    }
  const result = await buildImage((line) => console.error(line));
  for (const failure of result.failures) loud(failure);
  if (result.image === true) await startRunners(probeEngine, loud);
  const podman = await startSecond(loud, buildImage);
  return {
    stop: async () => {
      await podman?.stop();
      await engine?.stop();
    },
  };
}

/** Podman with the default image, for the tests that it speaks Docker's language (GAGAR_PODMAN_HOST). */
async function startSecond(loud, buildImage) {
  const first = process.env.DOCKER_HOST;
  try {
    const podman = await startPodman({ data: join(out, "podman"), log: join(out, "podman.log") });
    process.env.DOCKER_HOST = podman.host;
    for (const failure of (await buildImage((line) => console.error(line))).failures) loud(failure);
    process.env.GAGAR_PODMAN_HOST = podman.host;
    return podman;
  } catch (error) {
    loud(`podman: ${error.message}`);
    return undefined;
  } finally {
    if (first === undefined) delete process.env.DOCKER_HOST;
    else process.env.DOCKER_HOST = first;
  }
}

/** The image for tests of runners that the default image does not have. */
async function startRunners(probeEngine, loud) {
  const { buildRunners } = await import("./lib/runners.mjs");
  const { IMAGE } = await import("../dist/sandbox/image/recipe.js");
  const { engine } = await probeEngine();
  if (engine === undefined) return;
  await buildRunners(engine, IMAGE, (line) => console.error(line)).catch((error) =>
    loud(`the image with jest, vitest, mocha and Go: ${error.message}`),
  );
}

function install(packages, loud) {
  console.log(`\n== installing ${packages.join(", ")}`);
  const log = openSync(join(out, "apt.log"), "a");
  const options = { stdio: ["ignore", log, log], env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } };
  const update = spawnSync("apt-get", ["update"], options);
  const done = spawnSync("apt-get", ["install", "-y", "--no-install-recommends", ...packages], options);
  closeSync(log);
  if (update.status !== 0 || done.status !== 0) loud(`apt-get failed; its log is ${join(out, "apt.log")}`);
}

function isRootOnDebian() {
  if (process.getuid?.() !== 0) return false;
  try {
    return /^ID(_LIKE)?=.*debian/m.test(readFileSync("/etc/os-release", "utf8"));
  } catch {
    return false;
  }
}
