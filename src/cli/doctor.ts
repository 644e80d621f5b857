import { execFile } from "node:child_process";
import { access, constants, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Command } from "commander";
import { syntaxSupport } from "../leads/syntax/parser.ts";
import { textTable } from "../report/table.ts";
import { sandboxChecks } from "../sandbox/checks.ts";
import { applyPatch, prepareIndex } from "../workspace/apply.ts";
import { defaultCacheDir } from "../workspace/base.ts";
import { createRepository } from "../workspace/repository.ts";
import { runGit } from "../workspace/git.ts";

/** One thing that was looked at. `needed` ones must work for any grading at all. */
interface Check {
  name: string;
  ok: boolean;
  needed: boolean;
  found: string;
  /** What to do, or what is lost without it. Empty when all is well. */
  advice: string;
}

/** `gagar doctor`. */
export function doctorCommand(): Command {
  return new Command("doctor")
    .description("Say what works on this machine, what is missing and what to do about it.")
    .option("--json", "print the checks as JSON")
    .addHelpText(
      "after",
      "\nExit status: 0 when groups can be graded, 4 when something that is needed does not work.",
    )
    .action(async (flags: { json?: boolean }) => {
      const own = await Promise.all([node(), git(), temporary(), cache(), syntax(), resume()]);
      const checks: Check[] = [...own, ...(await sandboxChecks())];
      const rows = checks.map((check) => [
        check.name,
        check.ok ? "ok" : check.needed ? "MISSING" : "absent",
        check.found,
        check.advice,
      ]);
      process.stdout.write(
        flags.json === true
          ? `${JSON.stringify(checks)}\n`
          : `${textTable(["what", "state", "found", "what to do"], rows)}\n`,
      );
      process.exitCode = checks.some((check) => check.needed && !check.ok) ? 4 : 0;
    });
}

async function node(): Promise<Check> {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const ok = major > 20 || (major === 20 && minor >= 19);
  return {
    name: "node",
    ok,
    needed: true,
    found: process.version,
    advice: ok ? "" : "install Node.js 20.19 or newer",
  };
}

/** Does what every grading does: a repository, an index, a patch, a tree. A version number would promise less. */
async function git(): Promise<Check> {
  const check = { name: "git", needed: true };
  const dir = await mkdtemp(join(tmpdir(), "gagar-doctor-"));
  try {
    const { stdout } = await promisify(execFile)("git", ["--version"]);
    const gitDir = join(dir, "store.git");
    await createRepository(gitDir);
    const empty = await runGit(["hash-object", "-t", "tree", "-w", "--stdin"], { gitDir });
    const index = await prepareIndex(gitDir, empty.stdout.toString().trim());
    const patch = "diff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+x\n";
    const result = await applyPatch(gitDir, index, Buffer.from(patch));
    const why = result.tree === undefined ? result.reason : "";
    return {
      ...check,
      ok: why === "",
      found: stdout.trim(),
      advice: why === "" ? "" : `it cannot apply a patch to a tree: ${why}`,
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      ...check,
      ok: false,
      found: "not usable",
      advice: `install git (2.30 or newer): ${why.split("\n", 1)[0] ?? ""}`,
    };
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function temporary(): Promise<Check> {
  const dir = tmpdir();
  const check = { name: "temporary folder", needed: true };
  try {
    await access(dir, constants.W_OK);
    const { bavail, bsize } = await statfs(dir);
    const gib = (bavail * bsize) / 2 ** 30;
    const ok = gib >= 1;
    return {
      ...check,
      ok,
      found: `${dir}, ${gib.toFixed(1)} GiB free`,
      advice: ok ? "" : "set TMPDIR to a folder with at least 1 GiB",
    };
  } catch {
    return {
      ...check,
      ok: false,
      found: `${dir} cannot be written`,
      advice: "set TMPDIR to a folder that can be written",
    };
  }
}

async function cache(): Promise<Check> {
  const dir = defaultCacheDir();
  const check = { name: "cache of repositories", needed: false };
  for (let at = dir; ; at = join(at, "..")) {
    try {
      await access(at, constants.F_OK);
      await access(at, constants.W_OK);
      return { ...check, ok: true, found: dir, advice: "" };
    } catch (error) {
      const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
      if (!missing || at === "/")
        return {
          ...check,
          ok: false,
          found: `${at} cannot be written`,
          advice: "pass --cache, or set XDG_CACHE_HOME",
        };
    }
  }
}

async function syntax(): Promise<Check> {
  const { script, python, lost } = await syntaxSupport();
  const check = { name: "syntax trees (@ast-grep)", needed: false, ok: script && python };
  return lost === ""
    ? { ...check, found: "JavaScript, TypeScript, Python", advice: "" }
    : {
        ...check,
        found: script ? "JavaScript, TypeScript" : "none",
        advice: `npm install @ast-grep/napi @ast-grep/lang-python; ${lost}`,
      };
}

async function resume(): Promise<Check> {
  const name = "@langchain/langgraph-checkpoint-sqlite";
  const ok = await import("@langchain/langgraph-checkpoint-sqlite").then(
    () => true,
    () => false,
  );
  const advice = ok ? "" : `npm install ${name}; without it --resume goes on from the transcript alone`;
  return { name: "checkpoints (SQLite)", needed: false, ok, found: ok ? "loaded" : "not loaded", advice };
}
