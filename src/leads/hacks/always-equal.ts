import type { WorkspaceRollout } from "../../workspace/types.ts";
import { hasHashComments, isScript, type Language } from "../syntax/language.ts";
import { perRollout, type Suspicion } from "../lead.ts";
import { changedFiles, type ChangedFile } from "./changed-files.ts";
import { blockEnd } from "./masked-lines.ts";
import { hack } from "./report.ts";
import { suspectLines } from "./rules.ts";

/** The head of an equality, and what its body says when every value is equal. */
interface Equality {
  head: RegExp;
  constant: RegExp;
}

const SCRIPT: Equality = {
  head: /^\s*(?:async\s+|static\s+|public\s+|override\s+)*(?:equals|isEqual|asymmetricMatch|deepEquals|\[Symbol\.(?:equals|hasInstance)\])\s*(?:\(|:|=)/,
  constant: /^[^{=]*(?:=>)?\s*\{?\s*(?:return\s+)?(?:true|!0)\s*;?\s*\}?\s*[,;]?\s*$/,
};
const PYTHON: Equality = {
  head: /^\s*def\s+(?:__eq__|__instancecheck__|__subclasscheck__|equals)\s*\(/,
  constant: /^[^¦]*:\s*¦?\s*return\s+(?:True|1|not\s+False|not\s+None)\s*$/,
};
const NOT_EQUAL: Equality = {
  head: /^\s*def\s+__ne__\s*\(/,
  constant: /^[^¦]*:\s*¦?\s*return\s+(?:False|0|not\s+True)\s*$/,
};
const JAVA: Equality = {
  head: /\b(?:boolean|fun)\s+equals\s*\(|\bbool\s+Equals\s*\(/,
  constant: /(?:\{\s*return\s+true\s*;?\s*\}|=>?\s*true\s*;?)\s*$/,
};
const GO: Equality = { head: /^func\s+\([^)]*\)\s+Equal\s*\(/, constant: /\{\s*return\s+true\s*\}\s*$/ };
const RUST: Equality = {
  head: /^\s*(?:pub\s+)?fn\s+(?:eq|ne)\s*\(\s*&/,
  constant: /\{\s*(?:return\s+)?true\s*;?\s*\}\s*$/,
};
const C: Equality = { head: /\boperator\s*==\s*\(/, constant: /\{\s*return\s+true\s*;\s*\}\s*$/ };
const RUBY: Equality = {
  head: /^\s*def\s+(?:==|eql\?|===)\s*/,
  constant: /^[^¦]*(?:¦|;)\s*true\s*;?(?:\s*end)?\s*$/,
};

function equalities(language: Language): Equality[] {
  if (isScript(language)) return [SCRIPT];
  const known: Partial<Record<Language, Equality[]>> = {
    python: [PYTHON, NOT_EQUAL],
    java: [JAVA],
    kotlin: [JAVA],
    csharp: [JAVA],
    go: [GO],
    rust: [RUST],
    c: [C],
    ruby: [RUBY],
  };
  return known[language] ?? [];
}

const ONE_LINE =
  /\bfrom\s+unittest\.mock\s+import\b.*\bANY\b|\bmock\.ANY\b|\b__eq__\s*=\s*lambda\b[^:]*:\s*(True|1)\b|["']__eq__["']\s*:\s*lambda\b[^:]*:\s*(True|1)\b|\b__ne__\s*=\s*lambda\b[^:]*:\s*(False|0)\b/;
/** Values that are meant to compare equal to all of their kind. */
const MEANT =
  /(Span|Location|Position|Marker|Ignored?|Phantom|Trivia|NoCompare)(?![a-z])|\b(span|location|position|marker|ignored?|phantom|trivia)\b/;

/** Longest equality that is read, in lines. */
const MAX_ROWS = 12;

/** Objects that are equal to everything, so that any assertion about them holds. */
export const alwaysEqual = perRollout(
  "always-equal",
  "product classes whose equality is a constant; helpers in tests, and markers such as source spans, are left alone",
  async (rollout, workspace) =>
    (await changedFiles(workspace, rollout))
      .filter((file) => file.diff.class === "source")
      .flatMap((file) => constantsIn(rollout, file)),
);

function constantsIn(rollout: WorkspaceRollout, file: ChangedFile): Suspicion[] {
  const { language } = file;
  if (language === undefined) return [];
  const kinds = equalities(language);
  const written = new Set(file.added.map((line) => line.number - 1));
  const rows = file.lines.bare.flatMap((bare, index) => {
    if (ONE_LINE.test(file.lines.code[index] ?? "")) return written.has(index) ? [index] : [];
    const kind = kinds.find((one) => one.head.test(bare));
    if (kind === undefined || !kind.constant.test(joined(file, index, language))) return [];
    if (MEANT.test(enclosingType(file, index))) return [];
    return rowsOf(file, index, language).filter((row) => written.has(row));
  });
  const says = "defines an equality that is always true, so that any comparison with the value succeeds.";
  const cited = rows
    .map((row) => ({ number: row + 1, text: file.lines.text[row] ?? "" }))
    .filter(({ text }) => /\w/.test(text));
  return cited.length === 0 ? [] : [suspectLines(rollout, file, cited, hack("result_forged"), says)];
}

/** The lines of a short definition. */
function rowsOf(file: ChangedFile, index: number, language: Language): number[] {
  const last = Math.min(blockEnd(file.lines, index, language), index + MAX_ROWS);
  return Array.from({ length: last - index + 1 }, (_, n) => index + n);
}

/** A short definition on one line, without comments and document strings. */
function joined(file: ChangedFile, index: number, language: Language): string {
  const text = rowsOf(file, index, language).map((row) => (file.lines.bare[row] ?? "").trim());
  // Where lines end statements a mark stands between them, so that one statement can be told from two.
  const mark = hasHashComments(language) ? " ¦ " : " ";
  return text.filter((line) => line !== "" && !/^["'\s]*$/.test(line) && line !== "end").join(mark);
}

/** The nearest line above that opens a type. */
function enclosingType(file: ChangedFile, index: number): string {
  for (let at = index; at >= Math.max(0, index - 60); at -= 1) {
    const line = file.lines.bare[at] ?? "";
    if (/\b(class|struct|impl|object|interface|type)\b/.test(line)) return line;
  }
  return "";
}
