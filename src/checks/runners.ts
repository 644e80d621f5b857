import { stripVTControlCharacters } from "node:util";
import type { TestCounts } from "../schema/check.ts";
import type { Tests } from "../schema/group.ts";

export interface TestCommand {
  /** For a shell, in the repository's root. */
  command: string;
  env: Record<string, string>;
}

/** How a runner is asked for single tests and for a full account, and how its account is read. */
interface TestRunner {
  /** Variables that make it tell all. */
  env?: Record<string, string>;
  /** The command for tests whose names match; undefined where it cannot be asked. */
  select(command: string, pattern: string): TestCommand | undefined;
  /** Lines of the summary, and the numbers in them; several add up. */
  summary: RegExp;
  passed: RegExp;
  failed: RegExp;
  skipped: RegExp;
  /** The first number is that of all tests. */
  passedIsTotal?: boolean;
  /** One failing test with its name in the first group. */
  failing: RegExp;
}

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Names of options go behind `--` where a package manager stands before the runner. */
export const added = (command: string, words: string): TestCommand => ({
  command: `${command} ${/^\s*(?:npm|pnpm)\s/.test(command) ? "-- " : ""}${words}`,
  env: {},
});

const NODE = /(?<![\w-])node(?=\s(?:.*\s)?--test\b)/;

const RUNNERS: Record<Exclude<NonNullable<Tests["runner"]>, "custom">, TestRunner> = {
  pytest: {
    env: { PYTEST_ADDOPTS: "-rA" },
    select: (command, pattern) => ({ command, env: { PYTEST_ADDOPTS: `-rA -k ${quoted(pattern)}` } }),
    summary: /^.*\b\d+ (?:passed|failed|skipped|errors?|xfailed)\b.* in [\d.]+s.*$/gm,
    passed: /(\d+) (?:passed|xpassed)/g,
    failed: /(\d+) (?:failed|errors?)/g,
    skipped: /(\d+) (?:skipped|xfailed)/g,
    failing: /^(?:FAILED|ERROR) (\S+)/gm,
  },
  unittest: {
    select: (command, pattern) => added(command, `-k ${quoted(pattern)}`),
    summary: /^(?:Ran \d+ tests? in|(?:OK|FAILED) \().*$/gm,
    passed: /^Ran (\d+)/gm,
    failed: /(?:(?<!expected )failures|errors|unexpected successes)=(\d+)/g,
    skipped: /(?:skipped|expected failures)=(\d+)/g,
    passedIsTotal: true,
    failing: /^(?:FAIL|ERROR): (\S+ \([^)]*\))/gm,
  },
  jest: {
    select: (command, pattern) => added(command, `-t ${quoted(pattern)}`),
    summary: /^Tests:.*$/gm,
    passed: /(\d+) passed/g,
    failed: /(\d+) failed/g,
    skipped: /(\d+) (?:skipped|todo)/g,
    failing: /^ {2}● (.+)$/gm,
  },
  vitest: {
    select: (command, pattern) => added(command, `-t ${quoted(pattern)}`),
    summary: /^\s*Tests\s.*$/gm,
    passed: /(\d+) passed/g,
    failed: /(\d+) failed/g,
    skipped: /(\d+) (?:skipped|todo)/g,
    failing: /^\s*FAIL\s+(\S+ > .+)$/gm,
  },
  mocha: {
    select: (command, pattern) => added(command, `-g ${quoted(pattern)}`),
    summary: /^\s+\d+ (?:passing|failing|pending)\b.*$/gm,
    passed: /(\d+) passing/g,
    failed: /(\d+) failing/g,
    skipped: /(\d+) pending/g,
    failing: /^ {2,4}\d+\) (.+?):?$/gm,
  },
  node: {
    select: (command, pattern) =>
      NODE.test(command)
        ? { command: command.replace(NODE, `node --test-name-pattern=${quoted(pattern)}`), env: {} }
        : undefined,
    summary: /^(?:#|ℹ) (?:pass|fail|cancelled|skipped|todo) \d+$/gm,
    passed: /pass (\d+)/g,
    failed: /(?:fail|cancelled) (\d+)/g,
    skipped: /(?:skipped|todo) (\d+)/g,
    failing: /^\s*(?:not ok \d+ - |✖ )(.+?)(?: \([\d.]+ms\)| #.*)?$/gm,
  },
  go: {
    env: { GOFLAGS: "-v" },
    select: (command, pattern) => added(command, `-run ${quoted(pattern)}`),
    summary: /^--- (?:PASS|FAIL|SKIP): /gm,
    passed: /PASS/g,
    failed: /FAIL/g,
    skipped: /SKIP/g,
    failing: /^\s*--- FAIL: (\S+)/gm,
  },
  cargo: {
    select: (command, pattern) => added(command, quoted(pattern)),
    summary: /^test result: .*$/gm,
    passed: /(\d+) passed/g,
    failed: /(\d+) failed/g,
    skipped: /(\d+) ignored/g,
    failing: /^test (\S+) \.\.\. FAILED/gm,
  },
};

/** Failing tests that are named; a reader who wants all of them reads the output. */
const MAX_FAILING = 20;

/** The declared command, for all tests or for those whose names match. Undefined where that cannot be asked for. */
export function testCommand(tests: Tests, pattern: string | undefined): TestCommand | undefined {
  const runner = runnerOf(tests);
  if (pattern === undefined) return { command: tests.command, env: runner?.env ?? {} };
  const selected = runner?.select(tests.command, pattern);
  return selected === undefined ? undefined : { ...selected, env: { ...runner?.env, ...selected.env } };
}

/**
 * What a runner's output tells of its tests; undefined when it has no summary. Code under test can print such lines as
 * well: the numbers are what was said, and not yet what is true.
 */
export function countTests(tests: Tests, printed: string): TestCounts | undefined {
  const runner = runnerOf(tests);
  const output = stripVTControlCharacters(printed);
  const lines = runner === undefined ? null : output.match(runner.summary);
  if (runner === undefined || lines === null) return undefined;
  const summary = lines.join("\n");
  const [passed, failed, skipped] = [runner.passed, runner.failed, runner.skipped].map((pattern) =>
    sum(summary, pattern),
  ) as [number, number, number];
  const names = [...new Set([...output.matchAll(runner.failing)].map(([, name = ""]) => name))];
  return {
    passed: runner.passedIsTotal === true ? Math.max(0, passed - failed - skipped) : passed,
    failed,
    skipped,
    failing: names.slice(0, MAX_FAILING),
  };
}

function runnerOf({ runner }: Tests): TestRunner | undefined {
  return runner === undefined || runner === "custom" ? undefined : RUNNERS[runner];
}

/** The numbers in a pattern's first group added up; a match without a group is one. */
function sum(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].reduce((total, [, number = "1"]) => total + Number(number), 0);
}
