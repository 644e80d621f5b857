import { GraderError } from "../errors.ts";
import { spawnGit } from "./git.ts";
import type { GrepMatch, GrepQuery, Oid } from "./types.ts";

const TIMEOUT_MS = 20_000;
/** Characters of a matching line that are kept; minified files have lines of megabytes. */
const MAX_LINE = 2_000;

/** `git grep` on a tree object: no work tree, no textconv, binary files passed over. Stops at `query.limit`. */
export async function grepTree(
  gitDir: string,
  tree: Oid,
  query: GrepQuery,
): Promise<{ matches: GrepMatch[]; more: boolean }> {
  const args = [
    "grep",
    "-I",
    "-n",
    "-z",
    "--full-name",
    "--no-color",
    "--no-textconv",
    query.regex === true ? "-E" : "-F",
    ...(query.ignoreCase === true ? ["-i"] : []),
    ...(query.word === true ? ["-w"] : []),
    "-e",
    query.pattern,
    tree,
    ...(query.path === undefined ? [] : ["--", `:(top,literal)${query.path}`]),
  ];
  const child = spawnGit(args, { gitDir });
  const matches: GrepMatch[] = [];
  let rest = "";
  let complaint = "";
  let more = false;
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    child.kill("SIGKILL");
  }, TIMEOUT_MS);
  child.stdin.on("error", () => {});
  child.stdin.end();
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (chunk: string) => {
    if (more) return;
    rest += chunk;
    let used = 0;
    for (let at = nextMatch(rest, used); at !== undefined; at = nextMatch(rest, used)) {
      used = at.end;
      if (matches.length >= query.limit) {
        more = true;
        child.kill("SIGKILL");
        return;
      }
      matches.push({ path: at.name.slice(tree.length + 1), line: at.line, text: at.text });
    }
    rest = rest.slice(used);
  });
  child.stderr.on("data", (chunk: Buffer) => {
    if (complaint.length < 4096) complaint += chunk.toString("utf8");
  });
  const status = await new Promise<number>((resolve, reject) => {
    child.on("error", (cause) =>
      reject(new GraderError("git_failed", "git cannot be started", {}, { cause })),
    );
    child.on("close", (code) => resolve(code ?? -1));
  }).finally(() => clearTimeout(timer));
  if (timedOut) throw new GraderError("git_failed", `the search took longer than ${TIMEOUT_MS} ms`);
  // Status 1 is git's way to say that nothing matched.
  if (!more && status !== 0 && status !== 1)
    throw new GraderError("bad_input", `the search pattern is not accepted: ${complaint.trim()}`);
  return { matches, more };
}

/**
 * The next whole match in git's output: name NUL line NUL text LF. A name may hold line ends itself. Undefined when the
 * rest is not all there yet.
 */
function nextMatch(
  output: string,
  from: number,
): { name: string; line: number; text: string; end: number } | undefined {
  const nameEnd = output.indexOf("\0", from);
  const lineEnd = nameEnd < 0 ? -1 : output.indexOf("\0", nameEnd + 1);
  const textEnd = lineEnd < 0 ? -1 : output.indexOf("\n", lineEnd + 1);
  if (textEnd < 0) return undefined;
  return {
    name: output.slice(from, nameEnd),
    line: Number(output.slice(nameEnd + 1, lineEnd)),
    text: output.slice(lineEnd + 1, Math.min(textEnd, lineEnd + 1 + MAX_LINE)),
    end: textEnd + 1,
  };
}
