import type { Tests } from "../../schema/group.ts";

/** A test of the group that is defined once more under its own name, so that it has to fail. */
export interface Double {
  /** As the runner tells it. */
  id: string;
  /** Whether the test itself is gone: in a script both stand beside each other. */
  replaces: boolean;
  /** What is written behind the file in which it stands. */
  text: string;
}

type Writer = (parts: string[], text: string) => string | undefined;

const WORDS = "this test has to fail";

/** Later definitions of a module take the place of earlier ones; of a class, by assignment. */
const python: Writer = ([name = "", ...owners], text) => {
  if (!/^\w+$/.test(name)) return undefined;
  const [owner] = owners;
  if (owner === undefined)
    return new RegExp(`^(?:async )?def ${name}\\b`, "m").test(text)
      ? `\n\ndef ${name}():\n    raise AssertionError("${WORDS}")\n`
      : undefined;
  return owners.length === 1 && new RegExp(`^class ${owner}\\b`, "m").test(text)
    ? `\n\ndef _${name}(self):\n    raise AssertionError("${WORDS}")\n\n\n${owner}.${name} = _${name}\n`
    : undefined;
};

/** A second test of the same title in suites of the same titles: one of the two fails. */
const script =
  (test: string, suite: string): Writer =>
  (parts) => {
    const [title = "", ...suites] = parts.map((part) => JSON.stringify(part));
    const body = `${test}(${title}, () => { throw new Error("${WORDS}"); });`;
    return `\n;${suites.reduce((inner, outer) => `${suite}(${outer}, () => { ${inner} });`, body)}\n`;
  };

/**
 * Of the tests that passed in a file the first that can be doubled. Code that forges results by the names of the tests
 * it knows passes the double as well.
 *
 * @param ids - Tests of that file, those that matter most first.
 * @param text - The file, with what is already written behind it.
 * @param names - How the runner's functions are called behind the file: a test and a suite.
 */
export function doubleOf(
  { runner }: Tests,
  ids: readonly string[],
  text: string,
  names: { test: string; suite: string } | undefined,
): Double | undefined {
  const replaces = runner === "pytest" || runner === "unittest";
  const write = replaces ? python : names === undefined ? undefined : script(names.test, names.suite);
  if (write === undefined) return undefined;
  for (const id of ids) {
    const parts =
      runner === "unittest" ? id.split(".").slice(-2) : id.split(runner === "pytest" ? "::" : " > ");
    const isFiled = runner === "pytest" || /\.[cm]?[jt]sx?$/.test(parts[0] ?? "");
    const written = write((isFiled ? parts.slice(1) : parts).toReversed(), text);
    if (written !== undefined) return { id, replaces, text: written };
  }
  return undefined;
}
