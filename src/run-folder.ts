import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { GraderError } from "./errors.ts";
import { Grade } from "./schema/grade.ts";

/** Where one grading keeps its workspace, and what an interrupted one left there. */
export interface RunFolder {
  dir: string;
  /** Whether an interrupted grading of the same group with the same configuration goes on. */
  resumed: boolean;
  /** The answer of a grading that had finished. */
  finished?: Grade;
  /** Keeps the answer: a later resume gives it back instead of making another. */
  finish(grade: Grade): Promise<void>;
  /** Removes a temporary folder; a chosen one stays. */
  leave(): Promise<void>;
}

const CHECKPOINTS = ["checkpoints.sqlite", "checkpoints.sqlite-wal", "checkpoints.sqlite-shm"];

/** Files that a resumed grading goes on with. Everything else is made again from the input, and is the same. */
const KEPT = new Set(["run.json", "trace.jsonl", "findings.jsonl", "checks", ...CHECKPOINTS]);

/** Temporary folders in use. */
const temporary = new Set<string>();

/** Removes what is in use: for a process that ends before its gradings do. */
export function removeTemporary(): void {
  for (const dir of temporary) rmSync(dir, { recursive: true, force: true });
}

/**
 * Opens the folder of a grading: a temporary one, or `named`. With `resume`, what a grading with the same fingerprint
 * left in it is kept; with another fingerprint, or without `resume`, the folder starts afresh.
 *
 * @param identity - Everything that decides the answer: group, seed, configuration, grader.
 * @throws GraderError `bad_config` for a folder with things in it that are not gagar's.
 */
export async function openRunFolder(
  named: string | undefined,
  identity: unknown,
  resume: boolean,
): Promise<RunFolder> {
  const fingerprint = createHash("sha256").update(JSON.stringify(identity)).digest("hex");
  if (named === undefined) {
    const dir = await mkdtemp(join(tmpdir(), "gagar-"));
    temporary.add(dir);
    return {
      dir,
      resumed: false,
      finish: async () => {},
      leave: async () => {
        await rm(dir, { recursive: true, force: true });
        temporary.delete(dir);
      },
    };
  }
  // git runs elsewhere, so a relative path would mean another folder to it.
  const chosen = resolve(named);
  const names = await readdir(chosen).catch((): string[] => []);
  if (names.length > 0 && !names.includes("run.json"))
    throw new GraderError("bad_config", `${chosen} is not empty and no workspace of gagar`, {
      field: "workspaceDir",
    });
  const known = await readJson(join(chosen, "run.json"));
  const resumed = resume && isRecord(known) && known["fingerprint"] === fingerprint;
  const left = resumed ? Grade.safeParse(await readJson(join(chosen, "grade.json"))).data : undefined;
  // A fallback is no end: what stood in the way may be gone. It goes on from its transcript, not from its last state.
  const finished = left?.status === "fallback" ? undefined : left;
  if (left?.status === "fallback")
    for (const name of CHECKPOINTS) await rm(join(chosen, name), { force: true });
  if (finished === undefined)
    for (const name of names)
      if (!resumed || !KEPT.has(name)) await rm(join(chosen, name), { recursive: true, force: true });
  await mkdir(chosen, { recursive: true });
  await writeFile(join(chosen, "run.json"), `${JSON.stringify({ fingerprint })}\n`);
  return {
    dir: chosen,
    resumed,
    ...(finished === undefined ? {} : { finished }),
    async finish(grade) {
      // Whole or not at all: a crash in between must not leave half an answer.
      await writeFile(join(chosen, "grade.json.new"), JSON.stringify(grade));
      await rename(join(chosen, "grade.json.new"), join(chosen, "grade.json"));
    },
    leave: async () => {},
  };
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
