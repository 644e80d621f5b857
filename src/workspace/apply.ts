import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { GraderError } from "../errors.ts";
import { refusalText } from "./failed-hunks.ts";
import { runGit } from "./git.ts";
import { refusePatch } from "./patch-check.ts";
import type { ApplyStep, Oid } from "./types.ts";

export type ApplyResult =
  | { tree: Oid; step: ApplyStep }
  | { tree?: undefined; reason: string; malformed: boolean };

/** From strict to lenient; the first that git accepts is taken and recorded. */
const LADDER: { step: ApplyStep; flags: string[] }[] = [
  { step: "exact", flags: [] },
  { step: "recount", flags: ["--recount"] },
  { step: "ignore-whitespace", flags: ["--recount", "--ignore-whitespace"] },
];

let counter = 0;

/** An index file that holds the base tree, copied for every patch. Nothing is ever checked out. */
export async function prepareIndex(gitDir: string, base: Oid): Promise<string> {
  const indexFile = join(gitDir, `index-${base}`);
  await runGit(["read-tree", base], { gitDir, indexFile });
  return indexFile;
}

/** Writes the tree that `patch` makes of the index's tree. Never throws for a bad patch. */
export async function applyPatch(gitDir: string, baseIndex: string, patch: Buffer): Promise<ApplyResult> {
  const refused = refusePatch(patch);
  if (refused !== undefined) return { reason: refused, malformed: false };
  const indexFile = `${baseIndex}-${process.pid}-${++counter}`;
  const input = patch.at(-1) === 10 ? patch : Buffer.concat([patch, Buffer.from("\n")]);
  let first: ApplyResult | undefined;
  try {
    for (const { step, flags } of LADDER) {
      await copyFile(baseIndex, indexFile);
      const args = ["apply", "--cached", "--whitespace=nowarn", ...flags, "-"];
      const run = await runGit(args, { gitDir, indexFile, input, accept: [0, 1, 128] });
      if (run.status === 0) {
        const tree = await runGit(["write-tree"], { gitDir, indexFile });
        return { tree: tree.stdout.toString().trim(), step };
      }
      first ??= { reason: refusalText(run.stderr, patch), malformed: isMalformed(run.stderr) };
    }
  } catch (error) {
    if (!(error instanceof GraderError)) throw error;
    return { reason: error.message, malformed: false };
  } finally {
    await rm(indexFile, { force: true });
  }
  return first ?? { reason: "git did not apply it", malformed: false };
}

function isMalformed(message: string): boolean {
  return /corrupt patch|unrecognized input|No valid patches|patch fragment without header|lacks filename/i.test(
    message,
  );
}
