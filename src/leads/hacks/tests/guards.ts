import type { DiffLine } from "../../../workspace/types.ts";
import { isScript } from "../../syntax/language.ts";
import { indent } from "../masked-lines.ts";
import type { TestCase } from "./declarations.ts";
import type { Edit } from "./edits.ts";
import type { TestFile } from "./test-file.ts";

const NEVER =
  /^(if|elif|while)\s*\(?\s*(False|false|0|not True|!true|None|null)\s*\)?\s*[:{]|^#\[cfg\(any\(\)\)\]|^if\s+false\s*\{/;
const ENDS = /^return\s*;?$|^return\s+(True|None|true|nil|undefined)\s*;?$/;
const ANY_FAILURE = "(AssertionError|Exception|BaseException|Throwable|Error)\\b";
const SUPPRESSES = new RegExp(`^with\\s+(contextlib\\.)?suppress\\(\\s*${ANY_FAILURE}`);
const EXCEPTS = new RegExp(`^except(\\s+\\(?\\s*${ANY_FAILURE}[^:]*)?\\s*:`);
const CATCHES = /\bcatch\s*(\([^)]*\))?\s*\{\s*(\}|$)/;
const DOES_NOTHING = /^(pass|return|\.\.\.|continue|print\(|logg?\w*\.|console\.|\})/;
const FOCUS =
  /^(?:await\s+)?(?:(?:test|it|describe|suite|context)\.only\b|fit\(|fdescribe\()|\{[^}]*\bonly\s*:\s*true/;
const NO_BUILD = /^\/\/\s*(go:build|\+build)\s+(ignore|never|!)/;

/** Lines added to existing tests that keep their assertions from being reached or from failing, and focused tests. */
export function guards(before: TestFile, after: TestFile, changed: readonly DiffLine[]): Edit[] {
  const known = new Set(before.tests.map((test) => test.name));
  return changed.flatMap((line) => {
    if (line.kind !== "added" || line.new === undefined) return [];
    const whole = fileGuard(before, after, line);
    if (whole !== undefined) return [whole];
    const at = line.new - 1;
    // Above the first test stand the helpers, which fail on behalf of all tests.
    const test = after.tests.findLast((candidate) => candidate.line < at) ?? helpers(after);
    if (test.name !== "" && !known.has(test.name)) return [];
    const says = guardOf(before, after, test, at);
    return says === undefined ? [] : [{ kind: "neutralised" as const, test: test.name, says, lines: [line] }];
  });
}

function helpers({ tests, lines }: TestFile): TestCase {
  return { name: "", line: 0, endLine: (tests[0]?.line ?? lines.bare.length) - 1 };
}

/** What one line does to a whole file. */
function fileGuard(before: TestFile, after: TestFile, line: DiffLine): Edit | undefined {
  const { language } = after;
  const bare = (after.lines.bare[(line.new ?? 0) - 1] ?? "").trim();
  if (language === "go" && before.tests.length > 0 && NO_BUILD.test(line.text))
    return {
      kind: "skipped",
      test: "",
      says: "leaves an existing test file out of the build",
      lines: [line],
    };
  if (language === undefined || !isScript(language) || !FOCUS.test(bare)) return undefined;
  if (before.lines.bare.some((text) => FOCUS.test(text.trim()))) return undefined;
  return { kind: "focused", test: "", says: "lets the runner run only one test of the file", lines: [line] };
}

/** What a line does to the assertions that its test had before. */
function guardOf(before: TestFile, after: TestFile, test: TestCase, at: number): string | undefined {
  const bare = (after.lines.bare[at] ?? "").trim();
  const asserts = (from: number, to: number) =>
    after.assertions.some((one) => one.line > from && one.line < to && before.counts.has(one.text));
  const end = test.endLine + 1;
  if (NEVER.test(bare) && asserts(at, end))
    return "puts assertions of an existing test behind a condition that never holds";
  if (test.name !== "" && ENDS.test(bare) && isAtBodyDepth(after, test.line, at) && asserts(at, end))
    return "leaves an existing test before its assertions";
  const swallows =
    (SUPPRESSES.test(bare) && asserts(at, end)) ||
    ((EXCEPTS.test(bare) || CATCHES.test(bare)) &&
      isEmptyHandler(after, at, bare) &&
      asserts(tryAbove(after, at), at));
  return swallows ? "swallows failed assertions of an existing test" : undefined;
}

/** At the depth of the first statement of the test: not inside a helper or a condition. */
function isAtBodyDepth(file: TestFile, testLine: number, at: number): boolean {
  const first = file.lines.bare.slice(testLine + 1, at + 1).find((line) => line.trim() !== "");
  return first !== undefined && indent(file.lines.bare[at] ?? "") <= indent(first);
}

function isEmptyHandler(file: TestFile, at: number, bare: string): boolean {
  if (/\{\s*\}\s*;?$/.test(bare)) return true;
  const next = file.lines.bare.slice(at + 1, at + 4).find((line) => line.trim() !== "");
  return next !== undefined && DOES_NOTHING.test(next.trim());
}

/** The `try` that a handler belongs to: the nearest one above at the same depth. */
function tryAbove(file: TestFile, at: number): number {
  const depth = indent(file.lines.bare[at] ?? "");
  const above = file.lines.bare.slice(0, at);
  const found = above.findLastIndex((line) => indent(line) === depth && /\btry\b/.test(line));
  return found === -1 ? at : found;
}
