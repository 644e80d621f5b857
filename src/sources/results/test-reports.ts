import { asInteger, asList, asString, dig, isObject } from "../shape.ts";
import { xmlTags } from "../../xml.ts";
import type { ResultSource, ResultVerdict } from "./verdict.ts";

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** A CTRF report (`results.tests`), or undefined for anything else. Its summary counts where it lists no tests. */
export function readCtrf(value: unknown): ResultVerdict | undefined {
  const results = dig(value, "results");
  const summary = dig(results, "summary");
  const tests = asList(dig(results, "tests"));
  if (!isObject(summary) && tests.length === 0) return undefined;
  if (tests.length > 0) return verdictOf("ctrf", countStatuses(tests));
  const [passed, failed] = [asInteger(dig(summary, "passed")), asInteger(dig(summary, "failed"))];
  if (passed === undefined && failed === undefined) return undefined;
  const skipped = asInteger(dig(summary, "skipped")) ?? 0;
  return verdictOf("ctrf", { passed: passed ?? 0, failed: failed ?? 0, skipped });
}

/**
 * SWE-bench Pro `output.json`: `{tests: [{name, status}]}`. Which of the tests have to pass stands elsewhere, so that
 * the counts are told and the outcome is not.
 */
export function readTestList(value: unknown): ResultVerdict | undefined {
  const tests = asList(dig(value, "tests"));
  if (tests.length === 0 || !tests.every((test) => asString(dig(test, "status")) !== undefined))
    return undefined;
  return { ...verdictOf("tests", countStatuses(tests)), passed: null };
}

function countStatuses(tests: readonly unknown[]): Counts {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  for (const test of tests) {
    const status = asString(dig(test, "status"))?.toLowerCase() ?? "";
    if (status.startsWith("pass")) counts.passed++;
    else if (/^(?:fail|error)/.test(status)) counts.failed++;
    else counts.skipped++;
  }
  return counts;
}

/**
 * JUnit XML, or undefined for anything else. Test cases are counted, not the totals that the file claims; a case that
 * holds `failure` or `error` failed.
 */
export function readJunit(text: string): ResultVerdict | undefined {
  if (!/^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*)?<testsuites?\b/.test(text)) return undefined;
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  let open: keyof Counts | undefined;
  for (const { name, kind } of xmlTags(text)) {
    if (name === "testcase") {
      if (open !== undefined) counts[open]++;
      open = kind === "open" ? "passed" : undefined;
      if (kind === "empty") counts.passed++;
    } else if (open === "passed" && kind !== "close" && /^(?:failure|error|skipped)$/.test(name))
      open = name === "skipped" ? "skipped" : "failed";
  }
  if (open !== undefined) counts[open]++;
  const verdict = verdictOf("junit", counts);
  // A file that was cut may lack the case that failed.
  const isWhole = /<\/testsuites?>\s*$/.test(text);
  return isWhole || verdict.passed === false ? verdict : { ...verdict, passed: null };
}

/** A run of tests passed when one passed and none failed; one in which none ran says nothing. */
function verdictOf(source: ResultSource, { passed, failed, skipped }: Counts): ResultVerdict {
  return {
    source,
    passed: failed > 0 ? false : passed > 0 ? true : null,
    detail: `${passed} passed, ${failed} failed, ${skipped} skipped`,
  };
}
