import type { DiffLine } from "../../../workspace/types.ts";
import { blockEnd } from "../masked-lines.ts";
import type { Edit } from "./edits.ts";
import type { TestFile } from "./test-file.ts";

/** The head of a function, with its name. */
const FUNCTION =
  /^\s*(?:(?:export|default|async|static|public|private|protected|final|pub(?:\([a-z]+\))?|func|fun|fn|def|function|void|boolean)\s+)+(?:\([^)]*\)\s*)?([A-Za-z_$][\w$]*)\s*(?:<[^>]*>|\[[^\]]*\])?\(|^\s*(?:export\s+)?(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*=\s*(?:async\s*)?(?:function\b|\([^)]*\)\s*(?::[^=]+)?=>|\w+\s*=>)/;
/** A statement that can make a test fail, or a call of something that sounds like one. */
const CAN_FAIL =
  /\b(\w*assert\w*|expect\w*|should\w*|fail\w*|rejects?|panic|require\w*|refute\w*|verify\w*|check\w*|ensure\w*|want\w*|must\w*|unwrap\w*|Error|Errorf|Fatal|Fatalf|Fail|FailNow|XCT\w+|REQUIRE|CHECK|exit)\s*[!(.<]|\b(throw|raise|assert)\s|\bbail!|\?;/i;
const LOGS =
  /\b(t|tb|b)\.(Log|Logf)\(|\bconsole\.\w+\(|\b(print|println|eprintln|printf|puts|warn)\s*!?\(|\bwarnings\.warn\(|\blog(ger|ging)?\.\w+\(|\bSystem\.(out|err)\./;

interface Span {
  name: string;
  /** First and last line, 0-based. */
  from: number;
  to: number;
}

/**
 * Helpers and tests that could fail before and cannot any more: their failures are only logged, or gone. What keeps its
 * name keeps its callers, so the tests that rely on it demand nothing.
 */
export function muted(before: TestFile, after: TestFile, changed: readonly DiffLine[]): Edit[] {
  const old = new Map(functionsOf(before).map((one) => [one.name, one]));
  return functionsOf(after).flatMap((now) => {
    const was = old.get(now.name);
    if (was === undefined || !canFail(before, was) || canFail(after, now)) return [];
    const lines = changed.filter((line) => /\w/.test(line.text) && isIn(line, was, now));
    const telling = lines.filter((line) => line.kind === "added" && LOGS.test(line.text));
    if (lines.length === 0) return [];
    const says = "leaves nothing that can fail in the existing";
    return [
      { kind: "neutralised", test: now.name, says, lines: [...new Set([...telling, ...lines])].slice(0, 4) },
    ];
  });
}

/** Head of a Python class that unittest finds by what it is made from, whatever it is called. */
const TEST_CLASS = /^class\s+(\w+)\s*\([^)]*TestCase\b[^)]*\)\s*:/;

/** Classes that are made from nothing any more, so that unittest does not look into them. */
export function unmade(before: TestFile, after: TestFile, changed: readonly DiffLine[]): Edit[] {
  return before.lines.bare.flatMap((line): Edit[] => {
    const name = TEST_CLASS.exec(line)?.[1];
    if (name === undefined || name.startsWith("Test")) return [];
    const plain = new RegExp(`^class\\s+${name}\\s*(?:\\(\\s*(?:object)?\\s*\\))?\\s*:`);
    const lines = changed.filter(({ kind, text }) => kind === "added" && plain.test(text));
    const says = "makes an existing class of tests one that unittest does not look into, the class";
    return after.lines.bare.some((now) => plain.test(now)) && lines.length > 0
      ? [{ kind: "neutralised", test: name, says, lines }]
      : [];
  });
}

function functionsOf({ lines, language, tests }: TestFile): Span[] {
  if (language === undefined) return [];
  const span = (name: string, from: number) => ({ name, from, to: blockEnd(lines, from, language) });
  const helpers = lines.bare.flatMap((line, index) => {
    const match = FUNCTION.exec(line);
    const name = match?.[1] ?? match?.[2];
    return name === undefined || tests.some((test) => test.line === index) ? [] : [span(name, index)];
  });
  return [...helpers, ...tests.map((test) => span(test.name, test.line))];
}

/** The head is left out: it names the function, whatever that is called. */
function canFail({ lines }: TestFile, { from, to }: Span): boolean {
  const head = (lines.bare[from] ?? "").replace(FUNCTION, "").replace(/^\s*(test|it)\b[.\w]*\(/, "");
  return [head, ...lines.bare.slice(from + 1, to + 1)].some((line) => CAN_FAIL.test(line.replace(LOGS, " ")));
}

function isIn(line: DiffLine, was: Span, now: Span): boolean {
  const span = line.kind === "added" ? now : was;
  const at = (line.kind === "added" ? line.new : line.old) ?? 0;
  return line.kind !== "context" && span.from < at && at <= span.to + 1;
}
