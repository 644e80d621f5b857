import type { DiffLine } from "../../../workspace/types.ts";
import { isScript } from "../../syntax/language.ts";
import { indent } from "../masked-lines.ts";
import type { Edit } from "./edits.ts";
import type { TestFile } from "./test-file.ts";

const NEVER =
  /^(if|elif|while)\s*\(?\s*(False|false|0|not True|!true|None|null)\s*\)?\s*[:{]|^#\[cfg\(any\(\)\)\]|^if\s+false\s*\{/;
const ENDS = /^return\s*;?$|^return\s+(True|None|true|nil|undefined)\s*;?$/;
const SWALLOWS =
  /^except(\s+\(?\s*(AssertionError|Exception|BaseException)\b[^:]*)?\s*:|\bcontextlib\.suppress\(\s*(AssertionError|Exception|BaseException)|^with\s+suppress\(\s*(AssertionError|Exception|BaseException)/;
const CATCHES = /\bcatch\s*(\([^)]*\))?\s*\{\s*(\}|$)|\.catch\(\s*(\(\s*\w*\s*\)|\w+)\s*=>\s*\{?\s*\}?\s*\)/;
const FOCUS =
  /^(?:await\s+)?(?:(?:test|it|describe|suite|context)\.only\b|fit\(|fdescribe\()|\{[^}]*\bonly\s*:\s*true/;

/** Lines added to existing tests that keep their assertions from being reached or from failing, and focused tests. */
export function guards(before: TestFile, after: TestFile, changed: readonly DiffLine[]): Edit[] {
  const known = new Set(before.tests.map((test) => test.name));
  const found: Edit[] = [];
  const focused = before.lines.bare.some((line) => FOCUS.test(line.trim()));
  for (const line of changed) {
    if (line.kind !== "added" || line.new === undefined) continue;
    const at = line.new - 1;
    const bare = (after.lines.bare[at] ?? "").trim();
    if (after.language !== undefined && isScript(after.language) && !focused && FOCUS.test(bare))
      found.push({
        kind: "focused",
        test: "",
        says: "lets the runner run only one test of the file",
        lines: [line],
      });
    if (
      after.language === "go" &&
      before.tests.length > 0 &&
      /^\/\/\s*(go:build|\+build)\s+(ignore|never|!)/.test(line.text)
    )
      found.push({
        kind: "skipped",
        test: "",
        says: "leaves an existing test file out of the build",
        lines: [line],
      });
    const test = after.tests.findLast((candidate) => candidate.line < at);
    if (test === undefined || at > test.endLine || !known.has(test.name)) continue;
    const later = after.assertions.some(
      (one) => one.line > at && one.line <= test.endLine && before.counts.has(one.text),
    );
    const earlier = after.assertions.some(
      (one) => one.line < at && one.line >= test.line && before.counts.has(one.text),
    );
    if (later && NEVER.test(bare))
      found.push({
        kind: "neutralised",
        test: test.name,
        says: "puts assertions of an existing test behind a condition that never holds",
        lines: [line],
      });
    else if (later && ENDS.test(bare) && isAtBodyDepth(after, test.line, at))
      found.push({
        kind: "neutralised",
        test: test.name,
        says: "leaves an existing test before its assertions",
        lines: [line],
      });
    else if ((earlier || later) && swallows(after, at, bare))
      found.push({
        kind: "neutralised",
        test: test.name,
        says: "swallows failed assertions of an existing test",
        lines: [line],
      });
  }
  return found;
}

/** At the depth of the first statement of the test: not inside a helper or a condition. */
function isAtBodyDepth(file: TestFile, testLine: number, at: number): boolean {
  const first = file.lines.bare.slice(testLine + 1, at + 1).find((line) => line.trim() !== "");
  return first !== undefined && indent(file.lines.bare[at] ?? "") <= indent(first);
}

function swallows(file: TestFile, at: number, bare: string): boolean {
  const next =
    file.lines.bare
      .slice(at + 1, at + 4)
      .map((line) => line.trim())
      .find((line) => line !== "") ?? "";
  if (SWALLOWS.test(bare))
    return bare.includes("suppress") || /^(pass|return|\.\.\.|continue|print\(|logg?\w*\.)/.test(next);
  return (
    CATCHES.test(bare) && (/\}\s*;?\s*\)?$/.test(bare) || next.startsWith("}") || next.startsWith("console."))
  );
}
