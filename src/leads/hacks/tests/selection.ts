import type { Workspace } from "../../../workspace/types.ts";
import { isScript, languageOf, type Language } from "../../syntax/language.ts";
import { testPaths } from "./known-tests.ts";
import { testFile } from "./test-file.ts";

const WORD = `\\s*\\\\?(?:["']([^"'\\\\]+)\\\\?["']|([^\\s"',;&|\\\\]+))`;
const by = (names: string) => new RegExp(`(?:${names})(?:=|\\s|["'],)${WORD}`);

/** Options and settings that pick tests by name, for the tests of which language; `inverted` ones leave them out. */
const FILTERS: readonly { pattern: RegExp; inverted: boolean; applies: (language: Language) => boolean }[] = [
  { pattern: by("--test-skip-pattern|--grep-invert"), inverted: true, applies: isScript },
  {
    pattern: by("--f?grep|--testNamePattern|--test-name-pattern|(?<![\\w-])-[tgf]"),
    inverted: false,
    applies: isScript,
  },
  {
    pattern: /^\s*["']?(?:grepInvert|test-skip-pattern)["']?\s*[:=]\s*["'`/](.+?)["'`/]/,
    inverted: true,
    applies: isScript,
  },
  {
    pattern:
      /^\s*["']?(?:f?grep|testNamePattern|test-name-pattern)["']?\s*[:=]\s*(?:["'`/](.+?)["'`/]|([^\s"'`/,]+))/,
    inverted: false,
    applies: isScript,
  },
  { pattern: by("(?<![\\w-])-k"), inverted: false, applies: (language) => language === "python" },
  { pattern: by("(?<![\\w-])-(?:test\\.)?skip"), inverted: true, applies: (language) => language === "go" },
  { pattern: by("(?<![\\w-])-(?:test\\.)?run"), inverted: false, applies: (language) => language === "go" },
  { pattern: by("\\bcargo\\b.* --skip"), inverted: true, applies: (language) => language === "rust" },
];
const INVERTS = /--invert\b|\binvert["']?\s*[:=]\s*true/;

/** Most test files whose names are read. */
const MAX_FILES = 400;
const cache = new WeakMap<Workspace, Promise<Known[]>>();

interface Known {
  name: string;
  path: string;
  language: Language;
}

/** The tests of the base, read once for a group. */
function knownTests(workspace: Workspace): Promise<Known[]> {
  const known = cache.get(workspace) ?? readTests(workspace);
  cache.set(workspace, known);
  return known;
}

async function readTests(workspace: Workspace): Promise<Known[]> {
  const found: Known[] = [];
  for (const path of (await testPaths(workspace)).slice(0, MAX_FILES)) {
    const text = await workspace.store.readText(workspace.base, path, 1 << 20);
    const language = languageOf(path);
    if (text === undefined || language === undefined) continue;
    found.push(...testFile(path, text).tests.map(({ name }) => ({ name, path, language })));
  }
  return found;
}

/** The first existing test that a line of configuration leaves out by name; "" when it picks by name and none is known. */
export async function leftOutByName(workspace: Workspace, line: string): Promise<string | undefined> {
  for (const { pattern, inverted, applies } of FILTERS) {
    const match = pattern.exec(line);
    const value = match?.[1] ?? match?.[2];
    // A number is a time limit.
    if (value === undefined || /^\d*$/.test(value)) continue;
    const matches = matcher(value);
    const drops = inverted || INVERTS.test(line);
    const own = (await knownTests(workspace)).filter(({ language }) => applies(language));
    if (own.length === 0) return "";
    return own.find((test) => matches(test) === drops)?.name;
  }
  return undefined;
}

/** pytest's words with and, or, not; else a regular expression, or the text itself where it is none. */
function matcher(value: string): (test: Known) => boolean {
  const words = ({ name, path }: Known) => `${path} ${name}`.toLowerCase();
  if (/\b(not|and|or)\b/.test(value)) {
    const holds = (text: string, term: string) =>
      term.startsWith("not ") ? !text.includes(term.slice(4).trim()) : text.includes(term.trim());
    const any = value
      .toLowerCase()
      .replace(/[()]/g, "")
      .split(/\s+or\s+/)
      .map((all) => all.split(/\s+and\s+/));
    return (test) => any.some((all) => all.every((term) => holds(words(test), term.trim())));
  }
  try {
    const pattern = new RegExp(value.split("/")[0] ?? value);
    return ({ name, path }) => pattern.test(name) || pattern.test(path);
  } catch {
    return (test) => words(test).includes(value.toLowerCase());
  }
}
