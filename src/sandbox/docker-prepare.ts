import { hash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { startContainer, type ContainerCell } from "./docker-cell.ts";
import { ask, type Container, type Engine } from "./docker-engine.ts";
import { findImage, imageFacts, type ImageFacts } from "./docker-images.ts";
import { builderOptions, commandEnv, LABEL, type ContainerInput } from "./docker-options.ts";
import { execute } from "./execute.ts";
import { SandboxFault } from "./fault.ts";
import { BEGIN, CHECK, KEEP, SETUP } from "./prepare-scripts.ts";
import { tarStream } from "./tar.ts";
import type { Preparation, RunResult } from "./types.ts";

/** Marks every image of ours; its value is the name of what it was made from. */
export const PREPARED_LABEL = "gagar.prepared";
/** Room that the work folder of a prepared image takes: bytes, and files with folders. */
const BYTES_LABEL = "gagar.prepared.bytes";
const FILES_LABEL = "gagar.prepared.files";

const REPOSITORY = "gagar-prepared";
/** Changes with the scripts, so that new ones are never served by what old ones made. */
const RECIPE = hash("sha256", BEGIN + SETUP + KEEP);
/** Moving and giving away a large folder. */
const CHORE = { wall_ms: 600_000, output_bytes: 1024 * 1024 };
/** What a setup may write to the engine's disk, in bytes, and how often that is looked at. */
const MAX_LAYER = 8 * 1024 ** 3;
const LOOK_MS = 3000;
/** Lines and characters of a failing setup's output that are told. */
const TAIL = { lines: 15, characters: 2000 };

/** What a setup finds set, unless the image sets it: programs that install ask nobody, and need no virtual environment. */
const ROOT_ENV = { HOME: "/root", DEBIAN_FRONTEND: "noninteractive", PIP_BREAK_SYSTEM_PACKAGES: "1" };

export type Wanted = Required<Pick<Preparation, "image" | "workdir">> & Pick<Preparation, "base" | "setup">;

export interface PreparedImage {
  name: string;
  id: string;
  bytes: number;
  files: number;
}

/**
 * The image in which a work folder's content lies at `PREPARED`, made from `wanted` unless the engine has it. Its name
 * is by content: same image, same folder, same files and same setup are the same prepared image, on every grading.
 *
 * @param input - What the builder's container is made with.
 * @throws SandboxFault
 */
export async function prepareImage(
  client: Engine,
  wanted: Wanted,
  input: Omit<ContainerInput, "image" | "variables" | "volumes" | "workdir">,
): Promise<PreparedImage> {
  const { image, workdir, base, setup } = wanted;
  const facts = await imageFacts(client, image);
  const about = [RECIPE, facts.id, workdir, base?.key, setup?.command, setup?.network];
  const tag = hash("sha256", JSON.stringify(about)).slice(0, 32);
  const name = `${REPOSITORY}:${tag}`;
  const known = await findImage(client, name);
  if (known !== undefined) return prepared(name, known);

  const variables = Object.keys(facts.env);
  const how = { ...input, image, variables, volumes: facts.volumes, workdir };
  const options = builderOptions(how, setup?.network ?? false);
  const env = { ...commandEnv(facts.env), ...ROOT_ENV, ...facts.env };
  const cell = await startContainer(client, options, { env, user: 0 });
  try {
    await chore(cell, "looking for tools", [CHECK, "check", setup?.network === true ? "network" : ""]);
    if (base !== undefined) await cell.put("base", tarStream(base.files()));
    await chore(cell, "preparing", [BEGIN, "begin", workdir, base === undefined ? "" : "base"]);
    if (setup !== undefined) await runSetup(client, cell, workdir, setup);
    const asked = base === undefined ? "yes" : "no";
    const said = await chore(cell, "keeping the work folder", [KEEP, "keep", workdir, asked]);
    const [kib = 0, files = 0] = said.trim().split(" ").map(Number);
    await commit(cell.container, tag, {
      [LABEL]: "image",
      [PREPARED_LABEL]: image,
      [BYTES_LABEL]: String(kib * 1024),
      [FILES_LABEL]: String(files),
    });
  } finally {
    await cell.kill();
  }
  return prepared(name, await imageFacts(client, name));
}

const prepared = (name: string, { id, labels }: ImageFacts): PreparedImage => ({
  name,
  id,
  bytes: Number(labels[BYTES_LABEL]),
  files: Number(labels[FILES_LABEL]),
});

/** Runs a script of ours and gives what it prints. */
async function chore(cell: ContainerCell, what: string, argv: readonly string[]): Promise<string> {
  const command = { argv: ["/bin/sh", "-c", ...argv], env: cell.env };
  const result = await execute(cell, command, CHORE);
  if (result.outcome === "exited" && result.exit_code === 0) return result.stdout.toString("utf8");
  if ("reason" in result) throw new SandboxFault(result.outcome, result.reason);
  const said = result.stderr.toString("utf8").trim().split("\n").slice(0, 3).join(" ");
  throw new SandboxFault("sandbox_failed", `${what}: ${said === "" ? endOf(result) : said}`);
}

async function runSetup(
  client: Engine,
  cell: ContainerCell,
  workdir: string,
  { command, wall_ms }: NonNullable<Preparation["setup"]>,
): Promise<void> {
  const abort = new AbortController();
  const argv = ["/bin/sh", "-c", SETUP, "setup", workdir, command];
  const limits = { wall_ms, output_bytes: 64 * 1024 * 1024, signal: abort.signal };
  const running = execute(cell, { argv, env: cell.env }, limits);
  let over = false;
  const watch = async () => {
    for (;;) {
      await delay(LOOK_MS, undefined, { ref: false });
      if (over) return;
      if ((await layerBytes(client, cell.container)) > MAX_LAYER)
        abort.abort(new SandboxFault("sandbox_failed", `the setup wrote more than ${MAX_LAYER} bytes`));
    }
  };
  watch().catch(() => {});
  const result = await running.finally(() => {
    over = true;
  });
  if (result.outcome === "exited" && result.exit_code === 0) return;
  if ("reason" in result) throw new SandboxFault(result.outcome, result.reason);
  throw new SandboxFault("sandbox_failed", `the setup ${endOf(result)}${tailOf(result.stdout)}`);
}

async function layerBytes(client: Engine, { id }: Container): Promise<number> {
  const query = { size: true, filters: { id: [id] } };
  const [found] = await ask("asking for a size", () => client.listContainers(query));
  return found !== undefined && "SizeRw" in found ? Number(found.SizeRw) : 0;
}

function endOf(result: RunResult): string {
  if (result.outcome === "exited") return `ended with status ${result.exit_code}`;
  return `was ended (${result.outcome}, after ${Math.round(result.wall_ms / 1000)} s)`;
}

function tailOf(output: Buffer): string {
  const lines = output.toString("utf8").trim().split("\n").slice(-TAIL.lines).join("\n");
  return lines === "" ? "" : `:\n${lines.slice(-TAIL.characters)}`;
}

/** Whole or not at all: an image that was cut off has no name, and nothing of it is found. */
async function commit(container: Container, tag: string, labels: Record<string, string>): Promise<void> {
  const changes = Object.entries(labels).map(([name, value]) => `LABEL ${name}=${JSON.stringify(value)}`);
  const options = { repo: REPOSITORY, tag, changes: changes.join("\n") };
  await ask("keeping an image", () => container.commit(options), COMMIT_MS);
}

const COMMIT_MS = 900_000;
