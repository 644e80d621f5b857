import { languageOf, type Language } from "../../syntax/language.ts";
import { maskLines, type MaskedLines } from "../masked-lines.ts";
import { assertionsOf, type Assertion } from "./assertions.ts";
import { testsOf, type TestCase } from "./declarations.ts";

/** A test file, read for its tests and assertions. */
export interface TestFile {
  /** Missing for a file of data: it has lines and nothing else. */
  language: Language | undefined;
  lines: MaskedLines;
  tests: TestCase[];
  assertions: Assertion[];
  /** How often each assertion text stands in the file. */
  counts: ReadonlyMap<string, number>;
}

export function testFile(path: string, text: string): TestFile {
  const known = languageOf(path);
  const language = known === "shell" ? undefined : known;
  const lines = maskLines(text, path);
  const tests = language === undefined ? [] : testsOf(lines, language);
  const testAt = (index: number) => tests.findLast((test) => test.line <= index)?.name ?? "";
  const assertions = language === undefined ? [] : assertionsOf(lines, language, testAt);
  const counts = new Map<string, number>();
  for (const { text: key } of assertions) counts.set(key, (counts.get(key) ?? 0) + 1);
  return { language, lines, tests, assertions, counts };
}

/** What one version has and the other has not, by text; of equal ones the last are left over. */
export function surplus(of: TestFile, against: TestFile): Assertion[] {
  const left = new Map(against.counts);
  return of.assertions.filter(({ text }) => {
    const count = left.get(text) ?? 0;
    left.set(text, count - 1);
    return count <= 0;
  });
}
