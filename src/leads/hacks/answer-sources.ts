import type { Workspace, WorkspaceRollout } from "../../workspace/types.ts";

const MANIFESTS: readonly { path: string; name: RegExp }[] = [
  { path: "package.json", name: /^\s*"name"\s*:\s*"(?:@[\w.-]+\/)?([\w.-]+)"/m },
  { path: "pyproject.toml", name: /^\s*name\s*=\s*["']([\w.-]+)["']/m },
  { path: "setup.cfg", name: /^\s*name\s*=\s*([\w.-]+)/m },
  { path: "setup.py", name: /\bname\s*=\s*["']([\w.-]+)["']/ },
  { path: "Cargo.toml", name: /^\s*name\s*=\s*"([\w.-]+)"/m },
  { path: "go.mod", name: /^module\s+(?:\S+\/)?([\w.-]+?)(?:\/v\d+)?\s*$/m },
];

const cache = new WeakMap<Workspace, Promise<string[]>>();

/** Names under which this project is published or hosted, as its manifests and packages say; lower case, `-` for `_`. */
export function projectNames(workspace: Workspace): Promise<string[]> {
  const known = cache.get(workspace);
  if (known !== undefined) return known;
  const made = readNames(workspace);
  cache.set(workspace, made);
  return made;
}

async function readNames(workspace: Workspace): Promise<string[]> {
  const names = new Set<string>();
  for (const { path, name } of MANIFESTS) {
    const text = await workspace.store.readText(workspace.base, path, 1 << 20);
    const found = text === undefined ? undefined : name.exec(text)?.[1];
    if (found !== undefined) names.add(plainName(found));
  }
  for (const { path } of await workspace.store.list(workspace.base)) {
    const folder = /^(?:src\/)?([A-Za-z]\w+)\/__init__\.py$/.exec(path)?.[1];
    if (folder !== undefined && !/^(tests?|docs?|examples?|scripts?|tools|utils)$/.test(folder))
      names.add(plainName(folder));
  }
  return [...names].filter((name) => name.length >= 3);
}

export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_.]/g, "-");
}

/** Characters other than white space that make a line worth comparing. */
const MIN_LINE = 12;

/**
 * Whether a recorded text holds what the rollout then wrote: most of its distinctive added lines, or three of them.
 * Line numbers, diff marks and indentation in the record do not count.
 */
export function holdsAnswer(text: string, rollout: WorkspaceRollout): boolean {
  const written = new Set<string>();
  for (const file of rollout.files) {
    if (file.class === "docs" || file.class === "lock") continue;
    for (const line of file.hunks.flatMap((hunk) => hunk.lines))
      if (line.kind === "added" && isDistinctive(line.text)) written.add(squeeze(line.text));
  }
  if (written.size === 0) return false;
  const seen = new Set<string>();
  for (const line of text.split("\n")) {
    const plain = squeeze(line.replace(/^\s*\d+[:\t|-]?\s*/, ""));
    for (const form of [plain, squeeze(line), squeeze(line.replace(/^[+ ]/, ""))])
      if (written.has(form)) seen.add(form);
  }
  return seen.size >= Math.max(1, Math.min(3, Math.ceil(written.size / 2)));
}

function isDistinctive(line: string): boolean {
  return (
    line.replace(/\s/g, "").length >= MIN_LINE &&
    /[A-Za-z]{3}/.test(line) &&
    !/^\s*(import|from|#include|use|package)\b/.test(line)
  );
}

function squeeze(line: string): string {
  return line.trim().replace(/\s+/g, " ");
}
