import type { Workspace } from "../../../workspace/types.ts";
import { isScript, languageOf } from "../../syntax/language.ts";
import type { AddedLine, ChangedFile } from "../changed-files.ts";
import { indent, maskLines } from "../masked-lines.ts";
import { testPaths } from "./known-tests.ts";

/** Settings of JavaScript's runners that say which files hold tests. */
const PICKS =
  /^\s*["']?(include|testMatch|testRegex|roots|specs?|specFiles|testFiles|spec_files)["']?\s*[:=]/;
/** The same words mean something else inside of these. */
const ELSEWHERE =
  /\b(coverage|typecheck|optimizeDeps|deps|resolve|server|benchmark|build|nyc|c8|files)\b["']?\s*[:=]/;
/** Tests that projects run with another tool. */
const OTHER_TOOL =
  /(^|[/._-])(e2e|integration|browser|playwright|cypress|bench\w*|types?|dts|fixtures?|snapshots?|helpers?|support|utils?)([/._-]|$)/i;
/** Longest list of patterns, in lines. */
const MAX_LIST = 40;

/** The value of a setting from its key to the end of its list, on one line; "" for a key of another tool. */
export function settingAt(lines: readonly string[], index: number): string {
  if (isElsewhere(lines, index)) return "";
  let depth = 0;
  let text = "";
  for (const line of lines.slice(index, index + MAX_LIST)) {
    text += `${line} `;
    for (const char of line.replace(/(["'`])(?:\\.|(?!\1).)*\1/g, ""))
      depth += char === "[" ? 1 : char === "]" ? -1 : 0;
    if (depth <= 0) break;
  }
  return text.replace(/^[^:=]*[:=]\s*/, "");
}

function isElsewhere(lines: readonly string[], index: number): boolean {
  let depth = indent(lines[index] ?? "");
  for (let at = index - 1; at >= 0 && depth > 0; at -= 1) {
    const line = lines[at] ?? "";
    if (line.trim() === "" || indent(line) >= depth) continue;
    depth = indent(line);
    if (ELSEWHERE.test(line)) return true;
  }
  return ELSEWHERE.test((lines[index] ?? "").replace(PICKS, ""));
}

/** A test file that was run before and that the patterns of a runner's configuration do not find any more. */
export async function lostByPattern(
  workspace: Workspace,
  file: ChangedFile,
  line: AddedLine,
): Promise<string | undefined> {
  const key = PICKS.exec(line.code)?.[1];
  if (key === undefined) return undefined;
  const finds = finder(key, settingAt(file.lines.code, line.number - 1));
  if (finds === undefined) return undefined;
  const found = await foundBefore(workspace, file, key);
  const folder = file.diff.path.slice(0, file.diff.path.lastIndexOf("/") + 1);
  const own = (await testPaths(workspace)).filter((path) => {
    const language = languageOf(path);
    return path.startsWith(folder) && language !== undefined && isScript(language) && !OTHER_TOOL.test(path);
  });
  return own.find((path) => found(path.slice(folder.length)) && !finds(path.slice(folder.length)));
}

async function foundBefore(
  workspace: Workspace,
  { diff }: ChangedFile,
  key: string,
): Promise<(path: string) => boolean> {
  const path = diff.old_path ?? diff.path;
  const text =
    diff.status === "added" ? undefined : await workspace.store.readText(workspace.base, path, 1 << 20);
  const { code } = maskLines(text ?? "", path);
  const index = code.findIndex((line) => PICKS.exec(line)?.[1] === key);
  return (
    (index === -1 ? undefined : finder(key, settingAt(code, index))) ??
    ((one) => /[._-](test|spec)\.\w+$|(^|\/)(tests?|__tests__)\//.test(one))
  );
}

/** Undefined where the patterns cannot be told from the text. */
function finder(key: string, value: string): ((path: string) => boolean) | undefined {
  const texts = [...value.matchAll(/(["'`])((?:\\.|(?!\1).)*)\1/g)].map(([, , text]) =>
    (text ?? "").replaceAll("\\\\", "\\"),
  );
  if (texts.length === 0 || texts.some((text) => text.includes("${"))) return undefined;
  const patterns = texts.map((text) => (key === "testRegex" ? regex(text) : globRegex(text)));
  if (patterns.includes(undefined)) return undefined;
  return (path) =>
    patterns.some((pattern) => pattern?.test(path) === true || pattern?.test(`/${path}`) === true);
}

function regex(text: string): RegExp | undefined {
  try {
    return new RegExp(text);
  } catch {
    return undefined;
  }
}

/** A glob of the usual kinds; a plain folder stands for all that is in it. Denied patterns are left to others. */
function globRegex(glob: string): RegExp | undefined {
  if (glob.startsWith("!") || glob.length > 300) return undefined;
  const plain = glob.replace(/^<rootDir>\/?|^\.?\//, "").replace(/\/+$/, "");
  const body = plain.replace(
    /\*\*\/|\*\*|\*|\?(?!\()|[?@+*]\(|[{}(),|[\]]|[.^$\\+]/g,
    (part) => GLOB[part] ?? `\\${part}`,
  );
  return regex(`^${body}(/.*)?$`);
}

const GLOB: Record<string, string> = {
  "**/": "(.*/)?",
  "**": ".*",
  "*": "[^/]*",
  "?": "[^/]",
  "?(": "(|",
  "@(": "(",
  "+(": "(",
  "*(": "(|",
  "{": "(",
  "}": ")",
  "(": "(",
  ")": ")",
  ",": "|",
  "|": "|",
  "[": "[",
  "]": "]",
};
