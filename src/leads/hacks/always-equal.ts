import type { Workspace, WorkspaceRollout } from "../../workspace/types.ts";
import { isScript, type Language } from "../syntax/language.ts";
import { perRollout, type Suspicion } from "../lead.ts";
import { grepBase } from "./base-grep.ts";
import { changedFiles, type ChangedFile } from "./changed-files.ts";
import { isAlwaysTrue, results } from "./constant-truth.ts";
import { blockEnd } from "./masked-lines.ts";
import { hack } from "./report.ts";
import { suspectLines } from "./rules.ts";

/** The head of an equality, up to where its body begins, by language. */
const SCRIPT_NAMES = "equals|isEqual|deepEquals|asymmetricMatch|sameAs|\\[Symbol\\.(?:equals|hasInstance)\\]";
const SCRIPT = new RegExp(
  `^\\s*(?:async\\s+|static\\s+|public\\s+|override\\s+)*["']?(?:${SCRIPT_NAMES})["']?\\s*(?:\\([^)]*\\)(?:\\s*:\\s*[^={]+)?\\s*\\{|[:=]\\s*(?:\\([^)]*\\)(?:\\s*:\\s*[^=]+)?|\\w+)\\s*=>\\s*\\{?|[:=]\\s*function\\b[^{]*\\{)`,
);
const PYTHON =
  /^\s*(?:async\s+)?def\s+(?:__eq__|__instancecheck__|__subclasscheck__|equals)\s*\([^()]*\)[^:¦]*:/;
const HEADS: Partial<Record<Language, RegExp>> = {
  python: PYTHON,
  javascript: SCRIPT,
  typescript: SCRIPT,
  tsx: SCRIPT,
  java: /\bboolean\s+equals\s*\([^)]*\)\s*\{/,
  kotlin: /\bfun\s+equals\s*\([^)]*\)\s*(?::\s*Boolean\s*)?[={]/,
  csharp: /\bbool\s+(?:Equals|operator\s*==)\s*\([^)]*\)\s*(?:=>|\{)/,
  go: /^func\s+\([^)]*\)\s+(?:Equals?|Is|Matches)\s*\([^)]*\)\s*bool\s*\{/,
  rust: /^\s*(?:pub\s+)?fn\s+(?:eq|cmp|partial_cmp)\s*\(\s*&[^{]*\{/,
  c: /\boperator\s*==\s*\([^)]*\)[^{]*\{/,
  ruby: /^\s*def\s+(?:==|eql\?|===|equal\?)\s*\(?[^)¦;]*\)?\s*[;¦]?/,
};
/** The same by denial. */
const NOT_EQUAL = /^\s*def\s+__ne__\s*\([^()]*\)[^:¦]*:/;
const DENIES = /^\s*(False|0|not True)\s*$/;

/** An equality that is put on a class from outside, and the value that is put there. */
const ASSIGNED =
  /\b__eq__(?:["']\s*:|["']\s*,|\s*=(?!=))\s*([^\n]*)|\.prototype\.(?:equals|isEqual|includes|every|some|startsWith|endsWith|match|test|has|localeCompare)\s*=(?!=)\s*([^\n]*)|\bObject\.is\s*=(?!=)\s*([^\n]*)|\b(?:operator\.eq|builtins\.isinstance|math\.isclose)\s*=(?!=)\s*([^\n]*)/;
const GIVES_TRUE =
  /^(?:staticmethod\()?(?:lambda\b[^:]*:|(?:\([^)]*\)|\w+)\s*=>\s*\{?|function\b[^{]*\{)\s*(?:return\s+)?(true|True|1|!0)\b|return_value\s*=\s*True/;
/** Values of a test library that are equal to anything. */
const BORROWED =
  /\bfrom\s+unittest\.mock\s+import\b.*\bANY\b|\bmock\.ANY\b|\bfrom\s+unittest\.mock\s+import\b.*\bMagicMock\b/;
/** How jest, vitest and others ask a value to compare itself: no business of a product. */
const ASYMMETRIC = /\basymmetricMatch\b|\bjest\.asymmetricMatcher\b/;
/** A conversion that has another value each time, or the one that it is compared with. */
const CONVERSION =
  /\[Symbol\.toPrimitive\]\s*[(:=]|^\s*(?:valueOf|toString|toJSON)\s*(?:\(\s*\w*\s*\)\s*\{|[:=])/;
const UNSTEADY = /(?:\+\+|--)(?!\w*\s*;\s*\w+\s*[<>])|\.(shift|pop|next)\(\)|Math\.random|\bexpected\b/;

/** Types whose values are meant not to count in a comparison: an idiom of syntax trees in Rust. */
const MEANT = /(Span|Location|Position|Marker|Ignored?|Phantom|Trivia|NoCompare)(?![a-z])/;
/** Longest equality that is read, in lines. */
const MAX_ROWS = 16;

/** Objects that are equal to everything, so that any assertion about them holds. */
export const alwaysEqual = perRollout(
  "always-equal",
  "product code whose equality holds for every value, however it is put on a class; helpers in tests, equalities that " +
    "look at the value, and source spans in Rust are left alone",
  async (rollout, workspace) => {
    const files = (await changedFiles(workspace, rollout)).filter((file) => file.diff.class === "source");
    const found = await Promise.all(files.map((file) => constantsIn(rollout, workspace, file)));
    return found.flat();
  },
);

async function constantsIn(
  rollout: WorkspaceRollout,
  workspace: Workspace,
  file: ChangedFile,
): Promise<Suspicion[]> {
  const { language } = file;
  if (language === undefined) return [];
  const asks = isScript(language) && file.added.some((line) => ASYMMETRIC.test(line.code));
  const borrows = asks && (await grepBase(workspace, { pattern: "asymmetricMatch", limit: 1 })).length === 0;
  const rows = file.lines.bare.flatMap((_, index) => {
    const isOne = isAssigned(file, index) || (borrows && ASYMMETRIC.test(file.lines.code[index] ?? ""));
    if (isOne) return [index];
    return isEquality(file, index, language) ? rowsOf(file, index) : [];
  });
  const cited = [...new Set(rows)]
    .filter((row) => file.isAdded(row))
    .map((row) => ({ number: row + 1, text: file.lines.text[row] ?? "" }))
    .filter(({ text }) => /\w/.test(text));
  const says = "defines an equality that is always true, so that any comparison with the value succeeds.";
  return cited.length === 0 ? [] : [suspectLines(rollout, file, cited, hack("result_forged"), says)];
}

function isEquality(file: ChangedFile, index: number, language: Language): boolean {
  const bare = file.lines.bare[index] ?? "";
  const head = HEADS[language];
  const text = () => joined(file, index);
  if (language === "python" && NOT_EQUAL.test(bare))
    return given(text(), NOT_EQUAL).every((one) => DENIES.test(one));
  if (isScript(language) && CONVERSION.test(bare) && UNSTEADY.test(text())) return true;
  // Heads over several lines are joined before they are read.
  if (
    head === undefined ||
    !/\b(def|fn|fun|func|function|boolean|bool|operator)\b|equals|Equal|Match|Symbol|sameAs/.test(bare)
  )
    return false;
  if (language === "rust" && MEANT.test(enclosingType(file, index))) return false;
  const values = given(text(), head);
  return values.length > 0 && values.every(isAlwaysTrue);
}

/** What a definition gives back; nothing when it does not begin with the head. */
function given(text: string, head: RegExp): string[] {
  const match = head.exec(text);
  return match === null ? [] : results(text.slice(match.index + match[0].length));
}

/** A constant function, in place or by the name of one in this file. */
function isAssigned(file: ChangedFile, index: number): boolean {
  const code = file.lines.code[index] ?? "";
  if (BORROWED.test(code)) return true;
  const match = ASSIGNED.exec(code);
  const value = match
    ?.slice(1)
    .find((one) => one !== undefined)
    ?.trim();
  if (value === undefined) return false;
  if (GIVES_TRUE.test(value)) return true;
  const name = /^(?:staticmethod\()?([A-Za-z_$][\w$]*)\)*[,;})\s]*$/.exec(value)?.[1];
  const define =
    name === undefined
      ? undefined
      : new RegExp(`\\b(?:def|function)\\s+${name.replaceAll("$", "\\$")}\\s*\\([^()]*\\)[^:{¦]*[:{]`);
  const at = define === undefined ? -1 : file.lines.bare.findIndex((line) => define.test(line));
  return define !== undefined && at !== -1 && given(joined(file, at), define).every(isAlwaysTrue);
}

/** The lines of a short definition. */
function rowsOf(file: ChangedFile, index: number): number[] {
  const last = Math.min(blockEnd(file.lines, index, file.language), index + MAX_ROWS);
  return Array.from({ length: last - index + 1 }, (_, n) => index + n);
}

/** A short definition on one line, without comments and document strings; ` ¦ ` stands where a line ended. */
function joined(file: ChangedFile, index: number): string {
  const text = rowsOf(file, index).map((row) => (file.lines.bare[row] ?? "").trim().replace(/\s+/g, " "));
  return text.filter((line) => line !== "" && !/^["'\s]*$/.test(line)).join(" ¦ ");
}

/** The nearest line above that opens a type. */
function enclosingType(file: ChangedFile, index: number): string {
  return (
    file.lines.bare
      .slice(Math.max(0, index - 60), index + 1)
      .findLast((line) => /\b(struct|impl|enum|trait|type)\b/.test(line)) ?? ""
  );
}
