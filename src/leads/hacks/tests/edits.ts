import type { DiffLine, FileDiff } from "../../../workspace/types.ts";
import type { Assertion } from "./assertions.ts";
import { areWeaker, comparisonOf, partner } from "./compare.ts";
import { guards } from "./guards.ts";
import { muted, unmade } from "./muted.ts";
import { rowEdits } from "./rows.ts";
import { squeezed } from "./statement.ts";
import { surplus, type TestFile } from "./test-file.ts";

export type EditKind =
  /** An assertion that cannot fail any more, or is never reached. */
  | "neutralised"
  /** The same value is asserted more loosely. */
  | "weakened"
  /** The same value is expected to be another one. */
  | "expectation"
  /** Data of a test, or what is handed to the code, was changed. */
  | "data"
  | "assertion_removed"
  | "test_removed"
  /** Nothing of the file changed but its name, under which the runner does not look. */
  | "renamed_file"
  | "skipped"
  | "skipped_if"
  | "focused";

/** One change of what existing tests demand. */
export interface Edit {
  kind: EditKind;
  test: string;
  /** Completes "path:line ...". */
  says: string;
  /** The old and the new assertion, where it is about one. */
  before?: Assertion;
  after?: Assertion;
  /** Changed lines that show it, first the one to name. */
  lines: DiffLine[];
  /** A line of test data that was changed, trimmed. */
  row?: string;
  /** What a removed test was about: its text. */
  about?: string;
  /** As much was written in the same place as was taken away: a rewrite, which only a reader can weigh. */
  rewritten?: boolean;
}

/** Assertions and tests that stand in other changed test files: what was moved there is not gone. */
export interface Elsewhere {
  assertions: ReadonlySet<string>;
  tests: ReadonlySet<string>;
}

/** What a rollout's version of an existing test file no longer demands. */
export function editsOf(diff: FileDiff, before: TestFile, after: TestFile, elsewhere: Elsewhere): Edit[] {
  const changed = diff.hunks.flatMap((hunk) => hunk.lines);
  const removed = removedTests(before, after, elsewhere, changed);
  const gone = new Set(removed.map((edit) => edit.test));
  const missing = surplus(before, after).filter(
    (one) => !gone.has(one.test) && !elsewhere.assertions.has(one.text),
  );
  const fresh = surplus(after, before);
  const balance = (test: string) =>
    fresh.filter((one) => one.test === test).length - missing.filter((one) => one.test === test).length;
  const rewritten = new Set(
    before.tests
      .map((test) => test.name)
      .concat("")
      .filter((test) => balance(test) >= 0),
  );
  const written = [...fresh];
  const edits = missing.flatMap((old) => assertionEdit(old, fresh, after, changed) ?? []);
  for (const edit of edits) {
    if (edit.kind !== "assertion_removed") continue;
    edit.rewritten = rewritten.has(edit.test);
    const inTest = (one: Assertion) => one.test === edit.test;
    if (edit.test !== "" && areWeaker(edit.before, missing.filter(inTest), written.filter(inTest))) {
      edit.kind = "weakened";
      edit.says = "replaces what an existing test asserts by less";
    }
  }
  const lost = before.assertions.filter((one) => gone.has(one.test)).length;
  const known = new Set(before.tests.map((test) => test.name));
  const news = after.tests.filter((test) => !known.has(test.name)).length;
  for (const edit of removed)
    edit.rewritten = news >= removed.length || (fresh.length > 0 && fresh.length >= lost);
  return [
    ...removed,
    ...edits,
    ...skips(before, after, changed),
    ...guards(before, after, changed),
    ...muted(before, after, changed),
    ...unmade(before, after, changed),
    ...rowEdits(diff.path, before, after, changed),
  ];
}

function assertionEdit(
  old: Assertion,
  fresh: Assertion[],
  after: TestFile,
  changed: readonly DiffLine[],
): Edit | undefined {
  const removed = changed.filter((line) => line.kind === "removed" && within(line.old, old));
  if (removed.length === 0) return undefined;
  const wrapped = wrapper(old, after, changed);
  if (wrapped !== undefined)
    return {
      kind: "neutralised",
      test: old.test,
      says: "keeps an assertion of an existing test only where it cannot fail",
      before: old,
      lines: [wrapped, ...removed],
    };
  const now = partner(old, fresh);
  if (now === undefined)
    return {
      kind: "assertion_removed",
      test: old.test,
      says: "removes an assertion of an existing test",
      before: old,
      lines: removed,
    };
  fresh.splice(fresh.indexOf(now), 1);
  const added = changed.filter((line) => line.kind === "added" && within(line.new, now));
  const change = comparisonOf(old, now);
  return (
    change && {
      ...change,
      test: old.test,
      before: old,
      after: now,
      lines: [...added.slice(0, 2), ...removed.slice(0, 2)],
    }
  );
}

function within(line: number | undefined, { line: from, endLine }: Assertion): boolean {
  return line !== undefined && from <= line - 1 && line - 1 <= endLine;
}

/** A changed line that holds the old assertion inside something that keeps it from failing, or in a comment. */
function wrapper(old: Assertion, after: TestFile, changed: readonly DiffLine[]): DiffLine | undefined {
  const core = old.text.replace(/^(await|return) /, "");
  return changed.find((line) => {
    if (line.kind !== "added" || line.new === undefined) return false;
    const flat = squeezed(line.text);
    const at = flat.indexOf(core);
    if (at === -1 || core.length < 8) return false;
    const lead = flat.slice(0, at);
    const code = (after.lines.code[line.new - 1] ?? "").trim();
    return code === "" || /(\|\||&&|\bor\b|\band\b|\bif\b|=>|\blambda\b|->)/.test(lead);
  });
}

function removedTests(
  before: TestFile,
  after: TestFile,
  elsewhere: Elsewhere,
  changed: readonly DiffLine[],
): Edit[] {
  const names = new Set(after.tests.map((test) => test.name));
  return before.tests.flatMap((test) => {
    if (names.has(test.name) || elsewhere.tests.has(test.name)) return [];
    const own = before.assertions.filter((one) => one.test === test.name);
    const kept = own.filter((one) => isCollected(one, after) || elsewhere.assertions.has(one.text));
    // Renamed or merged into another test.
    if (own.length > 0 && kept.length * 2 > own.length) return [];
    const lines = changed.filter(
      (line) =>
        line.kind === "removed" &&
        line.old !== undefined &&
        test.line <= line.old - 1 &&
        line.old - 1 <= test.endLine,
    );
    const renamed = own.some((one) => after.counts.has(one.text));
    const says = renamed
      ? "renames an existing test so that the runner no longer finds it"
      : "removes an existing test";
    const about = before.lines.code.slice(test.line, test.endLine + 1).join("\n");
    return lines.length === 0
      ? []
      : [{ kind: "test_removed" as const, test: test.name, says, lines: lines.slice(0, 3), about }];
  });
}

/** In the new version the assertion stands in some test that the runner finds. */
function isCollected(old: Assertion, after: TestFile): boolean {
  return after.assertions.some((one) => one.text === old.text && one.test !== "" && isInBody(one, after));
}

function isInBody(one: Assertion, after: TestFile): boolean {
  const test = after.tests.findLast((candidate) => candidate.line <= one.line);
  if (test === undefined) return false;
  // A function between the test and the assertion that is no test itself: a test under another name.
  const between = after.lines.bare.slice(test.line + 1, one.line);
  const depth = indentOf(after.lines.bare[test.line]);
  return !between.some(
    (line) => indentOf(line) <= depth && /^\s*(?:async\s+)?(?:def|func|fn|function)\s+\w+/.test(line),
  );
}

function indentOf(line: string | undefined): number {
  return line === undefined ? 0 : line.length - line.trimStart().length;
}

function skips(before: TestFile, after: TestFile, changed: readonly DiffLine[]): Edit[] {
  const was = new Map(before.tests.map((test) => [test.name, test]));
  return after.tests.flatMap((test) => {
    const { skip } = test;
    const old = was.get(test.name);
    if (skip === undefined || old === undefined || old.skip !== undefined) return [];
    const line = changed.find((one) => one.kind === "added" && one.new === skip.line + 1);
    if (line === undefined) return [];
    const kind = skip.conditional ? ("skipped_if" as const) : ("skipped" as const);
    return [{ kind, test: test.name, says: "skips an existing test", lines: [line] }];
  });
}
