import { GraderError } from "../errors.ts";
import type { Engine } from "./docker-engine.ts";
import type { ContainerInput } from "./docker-options.ts";
import { prepareImage, type PreparedImage } from "./docker-prepare.ts";
import { readImage } from "./docker-read.ts";
import { reasonOf, SandboxFault } from "./fault.ts";
import { WORK_DIR, type Images, type Limits, type Preparation } from "./types.ts";

/** How containers of this sandbox are made. */
interface Means {
  connect: () => Promise<{ client: Engine; processors: number }>;
  made: (
    limits: Partial<Limits>,
    processors: number,
  ) => Omit<ContainerInput, "image" | "variables" | "volumes" | "workdir">;
  /** The default image. */
  image: string;
}

/** Folders that a box mounts itself: what an image has there is hidden. */
const TAKEN = ["/input", "/tmp", "/dev", "/proc", "/sys", "/gagar"];

/** Images of an engine. What this process has asked for once it is not asked for again. */
export function dockerImages({ connect, made, image }: Means): Images {
  const known = new Map<string, Promise<PreparedImage>>();

  const prepare = async (wanted: Preparation): Promise<PreparedImage> => {
    const workdir = wanted.workdir ?? WORK_DIR;
    const refused = refusal(workdir);
    if (refused !== undefined) throw new SandboxFault("unavailable", refused);
    const { client, processors } = await connect();
    const { base, setup } = wanted;
    const name = wanted.image ?? image;
    const key = JSON.stringify([name, workdir, base?.key, setup?.command, setup?.network]);
    const making =
      known.get(key) ??
      prepareImage(
        client,
        {
          image: name,
          workdir,
          ...(base === undefined ? {} : { base }),
          ...(setup === undefined ? {} : { setup }),
        },
        made(wanted.limits ?? {}, processors),
      );
    known.set(key, making);
    // A failure may be the engine's, and the next one to ask tries again.
    making.catch(() => known.delete(key));
    return making;
  };

  return {
    async read({ image: name, workdir }) {
      try {
        const prepared = await prepare({ image: name, workdir });
        const { client, processors } = await connect();
        const how = { variables: [], volumes: [], workdir, ...made({}, processors) };
        return await readImage(client, prepared, { image: prepared.name, ...how });
      } catch (error) {
        if (error instanceof GraderError) throw error;
        throw new GraderError(
          "base_unavailable",
          `the image ${name} cannot be read: ${reasonOf(error)}`,
          { field: "repo.image" },
          { cause: error },
        );
      }
    },
    async prepare(wanted) {
      try {
        const prepared = await prepare(wanted);
        const { processors } = await connect();
        const full = overflow(prepared, made(wanted.limits ?? {}, processors).limits);
        if (full !== undefined) return { outcome: "unavailable", reason: full };
        return { outcome: "prepared", image: prepared.name };
      } catch (error) {
        if (error instanceof GraderError) throw error;
        const outcome = error instanceof SandboxFault ? error.outcome : "sandbox_failed";
        return { outcome, reason: reasonOf(error) };
      }
    },
  };
}

function refusal(workdir: string): string | undefined {
  const normal = /^(?:\/[^/\0]+)+$/.test(workdir) && !/\/\.\.?(?:\/|$)/.test(workdir);
  if (!normal) return `the work folder ${JSON.stringify(workdir)} is no absolute path below the root`;
  const taken = TAKEN.find((folder) => workdir === folder || workdir.startsWith(`${folder}/`));
  return taken === undefined
    ? undefined
    : `the work folder ${workdir} cannot be below ${taken}, which boxes mount`;
}

/** Why a work folder does not fit into a box. */
function overflow({ bytes, files }: PreparedImage, limits: Limits): string | undefined {
  const mib = (size: number) => `${Math.ceil(size / 1024 ** 2)} MiB`;
  if (bytes > limits.work_bytes)
    return `the work folder takes ${mib(bytes)} and a box has room for ${mib(limits.work_bytes)}: raise the limit work (--sandbox-limits)`;
  if (files > limits.work_files)
    return `the work folder has ${files} files and a box has room for ${limits.work_files}: raise the limit files (--sandbox-limits)`;
  return undefined;
}
