import type { Workspace } from "../workspace/types.ts";
import { neighbours } from "./neighbours.ts";
import type { SourceFile } from "./source-file.ts";
import { isScript } from "./syntax/language.ts";
import { normalBody, type Normal } from "./syntax/normal-form.ts";
import { patternsOf } from "./syntax/patterns.ts";
import type { Definition } from "./syntax/definition.ts";
import { outlineTokens } from "./syntax/outline-tokens.ts";

/** A function of the base that a change could have called. */
export interface Helper {
  file: SourceFile;
  definition: Definition;
  body: Normal[];
  /** What of the body can be recognised where someone writes it out. */
  patterns: Normal[][];
}

const indexes = new WeakMap<Workspace, Map<string, Promise<Helper[]>>>();
const files = new WeakMap<SourceFile, Promise<Helper[]>>();

/** Longest body and most lines that count as a helper. */
const MAX_BODY = 400;
const MAX_LINES = 80;

function helpersOf(file: SourceFile): Promise<Helper[]> {
  const known = files.get(file) ?? readHelpers(file);
  files.set(file, known);
  return known;
}

async function readHelpers(file: SourceFile): Promise<Helper[]> {
  const { language } = file;
  if (language === undefined) return [];
  // Only a syntax tree knows the functions that JavaScript keeps in constants; elsewhere tokens do, in half the time.
  const definitions = isScript(language) ? await file.outline() : outlineTokens(file.text, language);
  return definitions
    .filter((one) => one.kind === "function" && one.endLine - one.line < MAX_LINES)
    .map((definition) => {
      const body = normalBody(file.tokens(), definition, language);
      return { file, definition, body, patterns: patternsOf(body) };
    })
    .filter((helper) => helper.body.length <= MAX_BODY);
}

/** Functions of the base within reach of a file: see `neighbours`. */
export function helpersNear(workspace: Workspace, path: string): Promise<Helper[]> {
  const index = indexes.get(workspace) ?? new Map<string, Promise<Helper[]>>();
  indexes.set(workspace, index);
  const known = index.get(path) ?? readNear(workspace, path);
  index.set(path, known);
  return known;
}

async function readNear(workspace: Workspace, path: string): Promise<Helper[]> {
  const near: Helper[] = [];
  for (const file of await neighbours(workspace, path)) near.push(...(await helpersOf(file)));
  return near;
}
