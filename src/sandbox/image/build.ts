import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmod, mkdir, readFile, rename, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { findRoot, rootFolders } from "../bubblewrap-root.ts";
import { probeEngine } from "../docker.ts";
import type { Engine } from "../docker-engine.ts";
import { reasonOf } from "../fault.ts";
import { tarStream } from "../tar.ts";
import { addNode } from "./node.ts";
import { runPipe } from "./pipe.ts";
import { DOCKERFILE, IMAGE, MMDEBSTRAP, SUITE } from "./recipe.ts";

export interface BuildResult {
  /** Whether the engine has the image now; undefined when there is no engine. */
  image?: boolean;
  /** Folder of the same programs for bubblewrap, when there is one. */
  folder?: string;
  /** What could not be done, a sentence each. */
  failures: string[];
}

/**
 * Makes the default image, where there is an engine, and the folder of the same programs for bubblewrap, where Debian's
 * packages can be had. What is there already is left alone: names carry a hash of the recipe.
 */
export async function buildImage(progress: (line: string) => void): Promise<BuildResult> {
  const failures: string[] = [];
  let folder = await presentFolder();
  if (folder === undefined && (await isDebian()))
    try {
      folder = await makeFolder(progress);
    } catch (error) {
      failures.push(`The programs' folder cannot be made from Debian's packages: ${reasonOf(error)}`);
    }
  const result: BuildResult = { failures, ...(folder === undefined ? {} : { folder }) };
  const probe = await probeEngine();
  if (probe.engine === undefined) {
    progress(`no image: ${probe.found}`);
    return result;
  }
  if (probe.image) return { ...result, image: true };
  try {
    if (folder === undefined) await buildFromDockerfile(probe.engine, progress);
    else await importFolder(probe.engine, folder, progress);
    return { ...result, image: true };
  } catch (error) {
    failures.push(`The image cannot be built: ${reasonOf(error)}`);
    return { ...result, image: false };
  }
}

async function presentFolder(): Promise<string | undefined> {
  const root = await findRoot(undefined);
  return root.kind === "image" ? root.path : undefined;
}

async function isDebian(): Promise<boolean> {
  const release = await readFile("/etc/os-release", "utf8").catch(() => "");
  return /^ID(_LIKE)?=.*debian/m.test(release);
}

/** A finished folder lies under its name, an unfinished one only under a name of its own. */
async function makeFolder(progress: (line: string) => void): Promise<string> {
  const [shared = "", own = ""] = rootFolders();
  // Commands run as a user of their own when we are root, and a home is closed to others.
  const folder = process.getuid?.() === 0 ? shared : own;
  const making = `${folder}.${randomUUID()}.tmp`;
  progress(`making ${folder} from Debian's packages (one to three minutes)`);
  await mkdir(making, { recursive: true });
  try {
    await runPipe(
      ["mmdebstrap", ...MMDEBSTRAP, SUITE, "-"],
      ["tar", "-x", "-f", "-", "-C", making, "--no-same-owner", "--exclude=./dev/*"],
      progress,
    );
    await addNode(making, progress);
    await chmod(making, 0o755);
    await rename(making, folder).catch(async (error: unknown) => {
      // Another process was faster.
      if ((await presentFolder()) === undefined) throw error;
    });
    return folder;
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

async function importFolder(engine: Engine, folder: string, progress: (line: string) => void): Promise<void> {
  progress(`importing ${folder} as ${IMAGE}`);
  const tar = spawn("tar", ["-c", "-C", folder, "--owner=0", "--group=0", "--numeric-owner", "."], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  // The whole name as one: Podman pays no attention to a tag beside it.
  const stream = await engine.importImage(tar.stdout, { repo: IMAGE });
  await follow(engine, stream, progress);
}

async function buildFromDockerfile(engine: Engine, progress: (line: string) => void): Promise<void> {
  progress(`building ${IMAGE} from its Dockerfile`);
  const parts: Buffer[] = [];
  const content = Buffer.from(DOCKERFILE);
  for await (const part of tarStream([{ path: "Dockerfile", kind: "file", executable: false, content }]))
    parts.push(part);
  const stream = await engine.buildImage(Readable.from(parts), { t: IMAGE });
  await follow(engine, stream, progress);
}

/** The engine reports a failure inside of the stream. */
function follow(
  engine: Engine,
  stream: NodeJS.ReadableStream,
  progress: (line: string) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    engine.modem.followProgress(
      stream,
      (error: Error | null) => (error === null ? resolve() : reject(error)),
      (event: { stream?: string; status?: string }) => {
        const line = (event.stream ?? event.status ?? "").trim();
        if (line !== "") progress(line);
      },
    );
  });
}
