// An image with what the default one lacks, for tests: the runners jest, vitest and mocha from npm and Debian's Go, each
// of which can be cheated in its own way, and what real projects import. It is the default image with one layer more.
import { spawn, spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const out = fileURLToPath(new URL("../../out/services/runners", import.meta.url));

const NPM = { jest: "30.5.2", mocha: "12.0.3", vitest: "4.1.12", vite: "8.3.8" };
const GO = "golang-1.19";
/** What tests of real projects import. */
const PYTHON = ["python3-mpmath"];
/** Parts of Go that no test of a plain package needs: more than half of it. */
const UNWANTED = ["usr/lib/go-1.19/pkg/linux_*/cmd", "usr/share/go-1.19/test", "usr/share/go-1.19/src/cmd"];

/** Programs are found on the path, and packages by import, from any folder: node looks in the root's node_modules last. */
const dockerfile = (base) => `FROM ${base}
COPY root /
RUN for name in jest mocha vitest; do ln -s /node_modules/.bin/$name /usr/local/bin/$name; done \\
 && ln -s /usr/lib/go-1.19/bin/go /usr/local/bin/go
`;

/** The image's name, which changes with what is in it. `base` is the name of the default image. */
export function runnersImage(base) {
  return `gagar-runners:${hash("sha256", JSON.stringify([dockerfile(base), NPM, GO, PYTHON, UNWANTED])).slice(0, 12)}`;
}

/** Makes the image where it is missing; its parts are kept in out/. @throws Error with what could not be had */
export async function buildRunners(engine, base, progress) {
  const name = runnersImage(base);
  const present = await engine
    .getImage(name)
    .inspect()
    .catch(() => undefined);
  if (present !== undefined) return;
  const folder = join(out, name.replace(":", "-"));
  if (!existsSync(folder)) collect(folder, base, progress);
  progress(`building ${name}`);
  const tar = spawn("tar", ["-c", "-C", folder, "--owner=0", "--group=0", "--numeric-owner", "."], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const stream = await engine.buildImage(tar.stdout, { t: name });
  await new Promise((resolve, reject) => {
    engine.modem.followProgress(stream, (error) => (error === null ? resolve() : reject(error)));
  });
}

function collect(folder, base, progress) {
  progress("fetching jest, vitest, mocha, Go and mpmath");
  const making = `${folder}.${process.pid}.tmp`;
  const root = join(making, "root");
  mkdirSync(root, { recursive: true });
  try {
    writeFileSync(join(making, "Dockerfile"), dockerfile(base));
    writeFileSync(join(root, "package.json"), JSON.stringify({ private: true, dependencies: NPM }));
    run(
      root,
      "npm",
      "install",
      "--omit=dev",
      "--no-audit",
      "--no-fund",
      "--ignore-scripts",
      "--loglevel=error",
    );
    for (const name of ["package.json", "package-lock.json"]) rmSync(join(root, name));
    run(making, "apt-get", "download", `${GO}-go`, `${GO}-src`, ...PYTHON);
    for (const name of readdirSync(making).filter((each) => each.endsWith(".deb"))) {
      run(making, "dpkg", "-x", name, root);
      rmSync(join(making, name));
    }
    run(
      root,
      "sh",
      "-c",
      `rm -rf ${UNWANTED.join(" ")}; find usr/share/go-1.19 -name testdata -prune -exec rm -rf {} +`,
    );
    renameSync(making, folder);
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

function run(cwd, program, ...args) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${error ?? `${stdout}${stderr}`.trim()}`);
}
