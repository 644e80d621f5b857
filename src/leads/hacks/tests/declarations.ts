import { isScript, type Language } from "../../syntax/language.ts";
import { indent, type MaskedLines } from "../masked-lines.ts";

/** One test of a test file. Lines are 0-based. */
export interface TestCase {
  /** In Python with its class in front. */
  name: string;
  line: number;
  /** The line before the next test. */
  endLine: number;
  /** Where it is skipped, and whether only under a condition. */
  skip?: { line: number; conditional: boolean };
}

const SCRIPT_TEST =
  /^(?:await\s+)?(x)?(?:test|it|specify|f?it)\b((?:\.\w+)*)(?:\([^)]*\)|`[^`]*`)?\s*\(\s*(?=["'`])/;
const SKIP_MARK =
  /@(?:pytest\.mark\.|unittest\.|mark\.)?(?:skip\w*|xfail|expectedFailure)\b|#\[\s*ignore\b|@(?:Disabled|Ignore|DisabledIf\w*|DisabledOn\w*|EnabledIf\w*|EnabledOn\w*)\b|@Test\s*\([^)]*enabled\s*=\s*false|\[(?:Ignore|Fact\(Skip|Theory\(Skip)/;
const SKIP_CALL =
  /^(?:return\s+)?(?:pytest\.(?:skip|xfail)\(|self\.skipTest\(|raise\s+(?:unittest\.)?SkipTest|t\.(?:Skip|Skipf|SkipNow)\(|(?:this|t|ctx|context)\.skip\(|pending\(|Assum\w+\.|skip\b)/;
const CONDITION =
  /skip_?if|skipunless|IfEnv|IfSystem|OnOs|OnJre|EnabledIf|EnabledOn|DisabledIf|DisabledOn|condition/i;
/** A condition that always holds. */
const ALWAYS = /skipif\(\s*(True|1|not\s+False)\b|skipUnless\(\s*(False|0)\b/i;

/** The tests that a runner finds in a file, in order. */
export function testsOf(lines: MaskedLines, language: Language): TestCase[] {
  const found: TestCase[] = [];
  const scopes: { name: string; indent: number; skip?: TestCase["skip"] }[] = [];
  lines.bare.forEach((raw, index) => {
    const line = raw.trim();
    if (line === "") return;
    const depth = language === "python" ? indent(raw) : Infinity;
    while ((scopes.at(-1)?.indent ?? -1) >= depth) scopes.pop();
    const scope = language === "python" ? /^class\s+(\w+)/.exec(line)?.[1] : undefined;
    if (scope !== undefined) {
      const skip = markAbove(lines, index);
      scopes.push({ name: scope, indent: indent(raw), ...(skip === undefined ? {} : { skip }) });
      return;
    }
    const name = nameOf(lines, index, language);
    if (name === undefined) return;
    const last = found.at(-1);
    if (last !== undefined) last.endLine = index - 1;
    const skip = skipOf(lines, index, language) ?? scopes.find((one) => one.skip !== undefined)?.skip;
    const full = [...scopes.map((one) => one.name), name].join(".");
    found.push({
      name: full,
      line: index,
      endLine: lines.bare.length - 1,
      ...(skip === undefined ? {} : { skip }),
    });
  });
  return found;
}

function nameOf(lines: MaskedLines, index: number, language: Language): string | undefined {
  const line = (lines.bare[index] ?? "").trim();
  const code = (lines.code[index] ?? "").trim();
  if (language === "python") return /^(?:async\s+)?def\s+(test\w*)\s*\(/.exec(line)?.[1];
  if (language === "go")
    return /^func\s+(?:\([^)]*\)\s*)?((?:Test|Benchmark|Fuzz|Example)\w*)\s*\(/.exec(line)?.[1];
  if (language === "ruby")
    return /^def\s+(test_\w+)/.exec(line)?.[1] ?? /^x?(?:it|specify|test)\s+["'](.+)["']/.exec(code)?.[1];
  if (language === "c") return /^(?:TEST|TEST_F|TEST_P|TEST_CASE|SCENARIO)\s*\(\s*(.+?)\s*\)/.exec(code)?.[1];
  if (isScript(language)) return scriptName(line, code);
  const marks = lines.bare.slice(Math.max(0, index - 6), index + 1).join("\n");
  if (language === "rust") {
    const name = /^(?:pub\s+)?(?:async\s+)?fn\s+(\w+)/.exec(line)?.[1];
    return name !== undefined &&
      /#\[(?:\w+::)*(?:test|rstest|test_case|quickcheck|proptest)\b[^\n]*(?:\n\s*(?:#\[|\/\/|$)[^\n]*)*\n?[^\n]*$/.test(
        marks,
      )
      ? name
      : undefined;
  }
  const name =
    /^(?:public\s+|private\s+|internal\s+|protected\s+|static\s+|final\s+|suspend\s+|async\s+|override\s+)*(?:fun|func|void|def|function|Task|[\w<>[\]]+)\s+(`[^`]+`|\w+)\s*\(/.exec(
      line,
    )?.[1];
  if (name === undefined) return undefined;
  if (language === "php" || language === "swift") return name.startsWith("test") ? name : undefined;
  const annotated =
    /(?:@(?:\w+\.)*(?:Test|ParameterizedTest|RepeatedTest|TestFactory)|\[(?:Fact|Theory|Test|TestMethod|TestCase))\b/.exec(
      marks,
    );
  return annotated !== null && !/[;}]\s*\n/.test(marks.slice(annotated.index)) ? name : undefined;
}

function scriptName(line: string, code: string): string | undefined {
  const head = SCRIPT_TEST.exec(line);
  if (head === null) return undefined;
  return /^(["'`])((?:\\.|(?!\1).)*)\1/.exec(code.slice(head[0].length))?.[2];
}

function skipOf(lines: MaskedLines, index: number, language: Language): TestCase["skip"] {
  const line = (lines.bare[index] ?? "").trim();
  if (isScript(language)) {
    const head = SCRIPT_TEST.exec(line);
    if (head?.[1] === "x" || /\.(skip|todo|fails|failing)\b/.test(head?.[2] ?? ""))
      return { line: index, conditional: false };
    if (/\.(skipIf|runIf)\b/.test(head?.[2] ?? "")) return { line: index, conditional: true };
    if (/\{[^}]*\b(skip|todo)\s*:\s*(true|["'])/.test(line)) return { line: index, conditional: false };
  }
  if (language === "ruby" && /^x(it|specify)\b/.test(line)) return { line: index, conditional: false };
  return markAbove(lines, index) ?? callBelow(lines, index);
}

/** Decorators, attributes and annotations right above. */
function markAbove(lines: MaskedLines, index: number): TestCase["skip"] {
  for (let at = index - 1; at >= Math.max(0, index - 12); at -= 1) {
    const line = (lines.bare[at] ?? "").trim();
    if (SKIP_MARK.test(line)) {
      const conditional = CONDITION.test(line) && !ALWAYS.test(line);
      return { line: at, conditional };
    }
    if (line !== "" && !/^(@|#\[|\[|\)|["'\w.]+\s*[=,:]|["'])/.test(line)) return undefined;
  }
  return undefined;
}

/** The first statements of the body, at its own depth. */
function callBelow(lines: MaskedLines, index: number): TestCase["skip"] {
  let depth: number | undefined;
  let statements = 0;
  for (let at = index + 1; at < Math.min(lines.bare.length, index + 14) && statements < 5; at += 1) {
    const raw = lines.bare[at] ?? "";
    const line = raw.trim();
    if (line === "" || /^["'\s]*$/.test(line)) continue;
    depth ??= indent(raw);
    if (indent(raw) < depth) return undefined;
    if (SKIP_CALL.test(line)) return { line: at, conditional: indent(raw) > depth };
    statements += 1;
  }
  return undefined;
}
