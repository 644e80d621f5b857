import { GraderError } from "../errors.ts";
import { classifyPath } from "./file-class.ts";
import type { DiffLine, FileDiff, Hunk } from "./types.ts";

/** Arguments whose output `parseDiff` reads: raw records and patch text of one comparison. */
export const DIFF_ARGS = [
  "diff-tree",
  "-r",
  "-M",
  "-z",
  "--raw",
  "-p",
  "--full-index",
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--submodule=short",
  "-U3",
] as const;

interface RawRecord {
  old_mode: string;
  new_mode: string;
  letter: string;
  old_path: string;
  path: string;
}

const STATUS: Record<string, FileDiff["status"]> = {
  A: "added",
  C: "added",
  D: "deleted",
  M: "modified",
  R: "renamed",
  T: "type_changed",
};

/** `:old new oid oid X\0path\0[path\0]` repeated, then the patch text. Returns the records and where the text begins. */
function parseRaw(output: Buffer): { records: RawRecord[]; textStart: number } {
  const records: RawRecord[] = [];
  let at = 0;
  const field = () => {
    const end = output.indexOf(0, at);
    const text = output.toString("utf8", at, end);
    at = end + 1;
    return text;
  };
  while (output[at] === 0x3a) {
    const [oldMode, newMode, , , status] = field().slice(1).split(" ");
    if (oldMode === undefined || newMode === undefined || status === undefined)
      throw new GraderError("git_failed", "git diff-tree printed an unknown record");
    const letter = status[0] ?? "";
    const first = field();
    const second = letter === "R" || letter === "C" ? field() : first;
    records.push({ old_mode: oldMode, new_mode: newMode, letter, old_path: first, path: second });
  }
  if (output[at] === 0) at += 1;
  return { records, textStart: at };
}

interface Section {
  binary: boolean;
  hunks: Omit<Hunk, "id">[];
}

/** Splits the text into one section per `diff --git` line. Hunk line counts decide, so content is never a header. */
function parseSections(text: string): Section[] {
  const sections: Section[] = [];
  const lines = text.split("\n");
  let at = 0;
  while (at < lines.length) {
    const line = lines[at] ?? "";
    at += 1;
    if (line.startsWith("diff --git ")) sections.push({ binary: false, hunks: [] });
    const section = sections.at(-1);
    if (section === undefined) continue;
    if (line.startsWith("Binary files ")) section.binary = true;
    const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (header === null) continue;
    const hunk = readHunk(lines, at, header);
    section.hunks.push({ header: line, lines: hunk.lines });
    at = hunk.next;
  }
  return sections;
}

function readHunk(
  lines: string[],
  start: number,
  header: RegExpExecArray,
): { lines: DiffLine[]; next: number } {
  let oldLine = Number(header[1]);
  let newLine = Number(header[3]);
  let oldLeft = Number(header[2] ?? 1);
  let newLeft = Number(header[4] ?? 1);
  const out: DiffLine[] = [];
  let at = start;
  while (oldLeft > 0 || newLeft > 0) {
    const line = lines[at];
    if (line === undefined)
      throw new GraderError("git_failed", "git diff-tree printed a hunk that ends early");
    at += 1;
    const text = line.slice(1);
    if (line[0] === "+") {
      out.push({ kind: "added", text, new: newLine++ });
      newLeft -= 1;
    } else if (line[0] === "-") {
      out.push({ kind: "removed", text, old: oldLine++ });
      oldLeft -= 1;
    } else if (line[0] !== "\\") {
      out.push({ kind: "context", text, old: oldLine++, new: newLine++ });
      oldLeft -= 1;
      newLeft -= 1;
    }
  }
  return { lines: out, next: at };
}

/** The change between two trees from the output of `git diff-tree` with DIFF_ARGS. Files in path order. */
export function parseDiff(output: Buffer): FileDiff[] {
  const { records, textStart } = parseRaw(output);
  const sections = parseSections(output.toString("utf8", textStart));
  let next = 0;
  return records.map((record, index) => {
    const id = `f${index + 1}`;
    // A changed type is printed as a deletion and a creation.
    const count = record.letter === "T" ? 2 : 1;
    const own = sections.slice(next, next + count);
    const hunks = own
      .flatMap((section) => section.hunks)
      .map((hunk, h) => ({ id: `${id}.h${h + 1}`, ...hunk }));
    next += count;
    const lines = hunks.flatMap((hunk) => hunk.lines);
    return {
      id,
      path: record.path,
      ...(record.old_path === record.path ? {} : { old_path: record.old_path }),
      status: STATUS[record.letter] ?? "modified",
      old_mode: record.old_mode,
      new_mode: record.new_mode,
      class: classifyPath(record.path),
      binary: own.some((section) => section.binary),
      hunks,
      added: lines.filter((line) => line.kind === "added").length,
      removed: lines.filter((line) => line.kind === "removed").length,
    };
  });
}
