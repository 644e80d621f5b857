import type { ImportEntry } from "../workspace/import.ts";
import { unpackTar } from "../workspace/tar-entries.ts";
import type { ImageFiles } from "../workspace/types.ts";
import { ask, statusOf, type Container, type Engine } from "./docker-engine.ts";
import { containerOptions, type ContainerInput } from "./docker-options.ts";
import { createContainer } from "./docker-podman.ts";
import type { PreparedImage } from "./docker-prepare.ts";
import { TRACKED } from "./prepare-scripts.ts";
import { PREPARED } from "./types.ts";

/** Longest list of tracked paths, in bytes. */
const MAX_LIST = 64 * 1024 * 1024;

/** What tools and interpreters leave beside a project's own files, where no git tells the two apart. */
const BUILT =
  /^(?:\.git|node_modules|__pycache__|\.venv|venv|\.tox|\.nox|\.eggs|\.(?:mypy|pytest|ruff)_cache|.*\.(?:egg-info|egg|dist-info|pyc|pyo|so|o|a|class))$/;

/**
 * The files of a repository that lies in a prepared image. They come as a stream out of a container that never runs,
 * and nothing is unpacked on this machine. What the image's git tracks is the repository; the rest was built there and
 * stays in the image.
 */
export async function readImage(
  client: Engine,
  image: PreparedImage,
  input: ContainerInput,
): Promise<ImageFiles> {
  const listing = await still(client, input);
  const tracked = await readTracked(listing.container).finally(listing.remove);
  const isOwn = (path: string) =>
    tracked === undefined ? !path.split("/").some((part) => BUILT.test(part)) : tracked.has(path);
  const guessed = `no git in ${input.image} tells what ${input.workdir} tracks, so all but what looks built is taken for the repository`;
  return {
    key: image.name.split(":")[1] ?? image.id,
    ...(tracked === undefined ? { guessed } : {}),
    async *entries(onSkip) {
      const { container, remove } = await still(client, input);
      try {
        const stream = await ask("reading an image", () => container.getArchive({ path: PREPARED }));
        const below = `${PREPARED.slice(PREPARED.lastIndexOf("/") + 1)}/`;
        for await (const entry of unpackTar([stream], onSkip)) {
          const own = lift(entry, below);
          if (own !== undefined && isOwn(own.path)) yield own;
        }
      } finally {
        await remove();
      }
    },
  };
}

/** A container that is never started: the engine reads files of its image through it. */
const still = (client: Engine, input: ContainerInput) => createContainer(client, containerOptions(input));

/** The entry without the folder that the engine's archive has all of them in. */
function lift(entry: ImportEntry, below: string): ImportEntry | undefined {
  if (!entry.path.startsWith(below)) return undefined;
  const path = entry.path.slice(below.length);
  if (!("hardlink" in entry)) return { ...entry, path };
  return {
    path,
    hardlink: entry.hardlink.startsWith(below) ? entry.hardlink.slice(below.length) : entry.hardlink,
  };
}

async function readTracked(container: Container): Promise<Set<string> | undefined> {
  try {
    const stream = await ask("reading an image", () => container.getArchive({ path: TRACKED }));
    const chunks: Buffer[] = [];
    for await (const entry of unpackTar([stream], () => {}))
      if ("body" in entry && entry.size <= MAX_LIST) for await (const chunk of entry.body) chunks.push(chunk);
    return new Set(Buffer.concat(chunks).toString("utf8").split("\0"));
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}
