import { merged, type TestResult } from "./results.ts";

const UNITTEST_END = /(?:^|\.\.\. )(ok|FAIL|ERROR|skipped(?: .*)?|expected failure|unexpected success)$/;
/** `test_a (tests.test_x.Case.test_a)`; before Python 3.11 without the name at the end. */
const UNITTEST_NAME = /^(\S+) \(([\w.]+)\)/;

/**
 * The tests that `unittest -v` names; undefined where it ran some and named none. A test that prints stands apart from its status; one
 * whose status cannot be found passed, unless the list of failures at the end names it.
 */
export function readUnittest(errors: string): TestResult[] | undefined {
  const ran = /^Ran (\d+) tests? in /m.exec(errors)?.[1];
  if (ran === undefined) return undefined;
  const results: TestResult[] = [];
  let open: TestResult | undefined;
  for (const line of errors.split("\n")) {
    if (/^={70}$/.test(line)) open = undefined;
    const failure = /^(?:FAIL|ERROR|UNEXPECTED SUCCESS): (.*)$/.exec(line)?.[1];
    const named = UNITTEST_NAME.exec(failure ?? line);
    if (failure !== undefined) {
      if (named !== null) results.push({ ...resultOf(named), status: "failed" });
      continue;
    }
    if (named !== null && (line === named[0] || line.startsWith(`${named[0]} ... `)))
      results.push((open = resultOf(named)));
    const end = open === undefined ? null : UNITTEST_END.exec(line);
    if (open === undefined || end === null) continue;
    open.status = statusOf(end[1] ?? "");
    open = undefined;
  }
  return results.length === 0 && ran !== "0" ? undefined : merged(results);
}

function statusOf(word: string): TestResult["status"] {
  if (word === "ok") return "passed";
  return word.startsWith("skipped") || word === "expected failure" ? "skipped" : "failed";
}

function resultOf([, name = "", place = ""]: RegExpExecArray): TestResult {
  const load =
    place.startsWith("unittest.loader._FailedTest") || /^(?:setUp|tearDown)(?:Class|Module)$/.test(name);
  const owner = place.endsWith(`.${name}`) ? place.slice(0, -name.length - 1) : place;
  return { id: `${owner}.${name}`, status: "passed", ...(load ? { load } : { file: owner }) };
}

/** The tests that cargo's harness names: `test a::adds ... ok`, under the binary that was announced before. */
export function readCargo(output: string, errors: string): TestResult[] | undefined {
  if (!/^test result: /m.test(output)) {
    return /^error(?:\[E\d+\])?: /m.test(errors)
      ? [{ id: "build", status: "failed", load: true }]
      : undefined;
  }
  const status = { ok: "passed", FAILED: "failed", ignored: "skipped" } as const;
  return merged(
    [...output.matchAll(/^test (\S+(?: - .*?)?) \.\.\. (ok|FAILED|ignored)\b/gm)].flatMap(
      ([, id = "", word]): TestResult[] =>
        word === "ok" || word === "FAILED" || word === "ignored" ? [{ id, status: status[word] }] : [],
    ),
  );
}
