import type { Workspace } from "../workspace/types.ts";
import { classifyPath } from "../workspace/file-class.ts";
import { baseFile } from "./change.ts";

/** Bounds of what is read: documents, and bytes of one. */
const MAX_FILES = 24;
const MAX_BYTES = 64_000;

/** One statement of a project's own documentation: a list item, a table row or a sentence. */
export interface Statement {
  path: string;
  line: number;
  text: string;
}

const WANTED =
  /(?:^|\/)(?:readme|contributing|agents|claude|hacking|development|developers|style|styleguide|conventions|architecture|design|guidelines)[^/]*$|^docs?\/[^/]+\.(?:md|rst|txt|adoc)$|^\.github\/(?:contributing|pull_request_template)[^/]*$/i;

const cache = new WeakMap<Workspace, Promise<Statement[]>>();

/** What the base's documentation says about how the project works and is changed. */
export function projectStatements(workspace: Workspace): Promise<Statement[]> {
  const known = cache.get(workspace) ?? read(workspace);
  cache.set(workspace, known);
  return known;
}

async function read(workspace: Workspace): Promise<Statement[]> {
  const entries = (await workspace.store.list(workspace.base)).filter((entry) => {
    return (
      WANTED.test(entry.path) &&
      entry.size <= MAX_BYTES &&
      entry.path.split("/").length <= 3 &&
      classifyPath(entry.path) !== "test"
    );
  });
  entries.sort((a, b) => a.path.split("/").length - b.path.split("/").length || (a.path < b.path ? -1 : 1));
  const found: Statement[] = [];
  for (const entry of entries.slice(0, MAX_FILES)) {
    const file = await baseFile(workspace, entry.path);
    if (file !== undefined) found.push(...statementsOf(entry.path, file.lines()));
  }
  return found;
}

/** Blocks of running text as sentences; code blocks are left out. */
export function statementsOf(path: string, lines: readonly string[]): Statement[] {
  const found: Statement[] = [];
  let block: { line: number; text: string } | undefined;
  let fenced = false;
  const close = () => {
    if (block === undefined) return;
    const { line, text } = block;
    for (const part of text.split(/(?<=[.!?;])\s+(?=[A-Z`*])/)) found.push({ path, line, text: part.trim() });
    block = undefined;
  };
  for (const [index, line] of lines.entries()) {
    if (/^\s*(?:```|~~~)/.test(line)) {
      close();
      fenced = !fenced;
      continue;
    }
    if (fenced || line.trim() === "") {
      close();
      continue;
    }
    if (/^\s*(?:[-*+]|\d+[.)]|#+|\||>)\s?/.test(line)) close();
    if (block === undefined) block = { line: index + 1, text: line.trim() };
    else block.text += ` ${line.trim()}`;
  }
  close();
  return found;
}

/** Inline code of a statement. */
export function spansOf(text: string): string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? "");
}
