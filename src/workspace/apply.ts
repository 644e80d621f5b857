import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { GraderError } from "../errors.ts";
import { refusalText } from "./failed-hunks.ts";
import { runGit } from "./git.ts";
import { refusePatch } from "./patch-check.ts";
import type { ApplyStep, Oid } from "./types.ts";

export type ApplyResult =
  | {
      tree: Oid;
      step: ApplyStep;
      /** Binary files that the patch names without their content; the rest of it was applied. */
      leftOut: string[];
    }
  | { tree?: undefined; reason: string; malformed: boolean };

interface Attempt {
  step: ApplyStep;
  flags: string[];
  input: Buffer;
}

/** Most binary files without content that are left out of one patch; git names one a run. */
const MAX_LEFT_OUT = 50;

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
  const given = patch.at(-1) === 10 ? patch : Buffer.concat([patch, Buffer.from("\n")]);
  const leftOut = new Set<string>();
  let first: ApplyResult | undefined;
  try {
    for (const { step, flags, input } of attemptsAt(given))
      for (;;) {
        await copyFile(baseIndex, indexFile);
        const excluded = [...leftOut].map((path) => `--exclude=${literalPattern(path)}`);
        const args = ["apply", "--cached", "--whitespace=nowarn", ...flags, ...excluded, "-"];
        const run = await runGit(args, { gitDir, indexFile, input, accept: [0, 1, 128] });
        if (run.status === 0) {
          const tree = (await runGit(["write-tree"], { gitDir, indexFile })).stdout.toString().trim();
          return { tree, step, leftOut: [...leftOut] };
        }
        const path = withoutContent(run.stderr);
        if (path === undefined || leftOut.has(path) || leftOut.size >= MAX_LEFT_OUT) {
          first ??= { reason: refusalText(run.stderr, patch), malformed: isMalformed(run.stderr) };
          break;
        }
        leftOut.add(path);
      }
  } catch (error) {
    if (!(error instanceof GraderError)) throw error;
    return { reason: error.message, malformed: false };
  } finally {
    await rm(indexFile, { force: true });
  }
  return first ?? { reason: "git did not apply it", malformed: false };
}

/** From strict to lenient; the first that git accepts is taken and recorded. */
function attemptsAt(input: Buffer): Attempt[] {
  const bare = withoutAddedCr(input);
  return [
    { step: "exact", flags: [], input },
    ...(bare === undefined ? [] : [{ step: "line-ends" as const, flags: [], input: bare }]),
    { step: "recount", flags: ["--recount"], input },
    { step: "ignore-whitespace", flags: ["--recount", "--ignore-whitespace"], input },
  ];
}

/**
 * The patch without the CR that a terminal put at the end of every line, or undefined where it did not. A file with CRLF
 * has CR in its own lines alone: git writes none behind a header.
 */
function withoutAddedCr(patch: Buffer): Buffer | undefined {
  const lines = patch.toString("latin1").split("\n");
  if (!lines.slice(0, -1).every((line) => line.endsWith("\r"))) return undefined;
  return Buffer.from(lines.map((line) => line.replace(/\r$/, "")).join("\n"), "latin1");
}

/** The binary file that git misses the content of: `Binary files a/x and b/x differ` is all that the patch says. */
function withoutContent(stderr: string): string | undefined {
  return /^error: (?:cannot apply binary patch to|missing binary patch data for) '(.+)'/m.exec(stderr)?.[1];
}

/** A pattern of git's that means this path and no other. */
function literalPattern(path: string): string {
  return path.replace(/[\\*?[\]]/g, "\\$&");
}

function isMalformed(message: string): boolean {
  return /corrupt patch|unrecognized input|No valid patches|patch fragment without header|lacks filename/i.test(
    message,
  );
}
