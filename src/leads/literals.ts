import type { Workspace } from "../workspace/types.ts";
import { classifyPath } from "../workspace/file-class.ts";
import { parentOf, stemOf } from "./new-file.ts";
import { languageOf } from "./syntax/language.ts";
import { lex, type Token } from "./syntax/lex.ts";
import { codeParts } from "./task-text.ts";

/** Most test files that are read for one workspace, and the largest one, in bytes. */
const MAX_FILES = 12;
const MAX_BYTES = 300_000;

/** The value of a literal as text; undefined for what says nothing: empty, one character, the smallest numbers. */
export function valueOf(token: Token): string | undefined {
  if (token.kind === "number") return /^(?:[012]|10|100|1000)$/.test(token.text) ? undefined : token.text;
  if (token.kind !== "string") return undefined;
  const inside = /^[A-Za-z]*(?:"""|'''|["'`])([\s\S]*?)(?:"""|'''|["'`])$/.exec(token.text)?.[1];
  return inside === undefined || inside.trim().length < 2 ? undefined : inside;
}

function valuesIn(tokens: readonly Token[]): Set<string> {
  const values = new Set<string>();
  for (const token of tokens) {
    const value = valueOf(token);
    if (value !== undefined) values.add(value);
  }
  return values;
}

/** Literals in the code that the task's statement shows, examples included. */
export function taskLiterals(statement: string): Set<string> {
  return valuesIn(codeParts(statement).flatMap((part) => lex(part, "javascript")));
}

const cache = new WeakMap<Workspace, Map<string, Promise<Set<string>>>>();

/** Literals of the visible tests: those that the group adds, and those of the base that are named after the file. */
export function testLiterals(workspace: Workspace, path: string): Promise<Set<string>> {
  const byPath = cache.get(workspace) ?? new Map<string, Promise<Set<string>>>();
  cache.set(workspace, byPath);
  const names = subjectsOf(path);
  const key = names.join("/");
  const known = byPath.get(key) ?? readLiterals(workspace, names);
  byPath.set(key, known);
  return known;
}

/** What tests of a file may be named after: its name, or that of its package where the name says little. */
function subjectsOf(path: string): string[] {
  const stem = stemOf(path).toLowerCase();
  const folder = stemOf(parentOf(path)).toLowerCase();
  if (!/^(?:__init__|__main__|index|main|mod|lib)$/.test(stem)) return [stem];
  return /^(?:|src|lib|app|pkg|source|python)$/.test(folder) ? [stem] : [stem, folder];
}

async function readLiterals(workspace: Workspace, names: readonly string[]): Promise<Set<string>> {
  const given = new Set(
    (await workspace.store.diff(workspace.base, workspace.testsTree)).map((file) => file.path),
  );
  const tests = (await workspace.store.list(workspace.testsTree)).filter((entry) => {
    if (entry.size > MAX_BYTES || languageOf(entry.path) === undefined) return false;
    return (
      given.has(entry.path) ||
      (classifyPath(entry.path) === "test" &&
        names.some((name) => stemOf(entry.path).toLowerCase().includes(name)))
    );
  });
  tests.sort((a, b) => Number(given.has(b.path)) - Number(given.has(a.path)) || (a.path < b.path ? -1 : 1));
  const values = new Set<string>();
  for (const entry of tests.slice(0, MAX_FILES)) {
    const language = languageOf(entry.path);
    const text = await workspace.store.readText(workspace.testsTree, entry.path, MAX_BYTES);
    if (text === undefined || language === undefined) continue;
    for (const value of valuesIn(lex(text, language))) values.add(value);
  }
  return values;
}
