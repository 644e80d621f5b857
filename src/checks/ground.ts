import {
  PREPARED,
  type BoxSpec,
  type FileSource,
  type Limits,
  type Sandbox,
  type SandboxFailure,
} from "../sandbox/types.ts";
import type { Tests } from "../schema/group.ts";
import type { ImagePlace, Workspace } from "../workspace/types.ts";
import { BASE_FOLDER, type Trees } from "./trees.ts";

/** What a group's boxes are opened with, as the group and the caller want it. */
export interface GroundWanted {
  tests: Tests | undefined;
  /** Given when the repository lies in an image: rollouts run in that image, in that folder. */
  place: ImagePlace | undefined;
  limits: Partial<Limits>;
  /** Milliseconds that a setup may take. */
  msLeft: () => number;
}

/** What a rollout's work folder starts from. */
export interface Ground {
  outcome: "ready";
  spec: BoxSpec;
  /** Source of `Work.from`. */
  from: string;
  /** To be put in every box as the archive `BASE_FOLDER`; missing when the image has it. */
  base?: FileSource;
  /** The setup's result is in the image. Otherwise it is run before each command. */
  isSetUp: boolean;
}

/** A setup has this long, in milliseconds, and a tenth of what is left is kept for what it is needed for. */
const SETUP_MS = 1_800_000;
const SHARE = 0.9;

/** The bench has the programs of an image that holds the repository, and else the default ones; its work folder is its own. */
export function benchSpec({ place, limits }: GroundWanted): BoxSpec {
  return place === undefined ? { limits } : { image: place.image, limits };
}

function boxSpec({ tests, place, limits }: GroundWanted): BoxSpec {
  const image = tests?.image ?? place?.image;
  return {
    ...(image === undefined ? {} : { image }),
    ...(place === undefined ? {} : { workdir: place.workdir }),
    limits,
  };
}

/**
 * Makes what is the same for all boxes of a group: where there are images, the setup is run once and kept as one, and
 * an image that holds the repository gives its work folder. A setup that fails is one failure, told to every run.
 */
export async function openGround(
  workspace: Workspace,
  sandbox: Sandbox,
  trees: Trees,
  wanted: GroundWanted,
): Promise<Ground | SandboxFailure> {
  const spec = boxSpec(wanted);
  const { tests, place } = wanted;
  const inImage = place !== undefined && spec.image === place.image;
  const base = await trees.base();
  if (sandbox.images === undefined || (!inImage && tests?.setup === undefined))
    return { outcome: "ready", spec, from: `${BASE_FOLDER}.tar`, base, isSetUp: false };
  const wall_ms = Math.min(SETUP_MS, wanted.msLeft() * SHARE);
  const prepared = await sandbox.images.prepare({
    ...spec,
    ...(inImage ? {} : { base: { key: workspace.base, files: base } }),
    ...(tests?.setup === undefined
      ? {}
      : { setup: { command: tests.setup, network: tests.setup_network ?? false, wall_ms } }),
  });
  if (prepared.outcome !== "prepared") return prepared;
  return { outcome: "ready", spec: { ...spec, image: prepared.image }, from: PREPARED, isSetUp: true };
}
