import type { ChangedFile } from "./change.ts";
import { qualifiedName, type Definition } from "./syntax/definition.ts";

/** Most new definitions of one file that are looked at: generated code has thousands. */
const MAX_NEW = 60;

/** Definitions that the rollout adds to a file, the first MAX_NEW of them: on an added line, and not there before under this name. */
export async function newDefinitions(file: ChangedFile): Promise<Definition[]> {
  if (file.after === undefined) return [];
  const old = new Set((file.before === undefined ? [] : await file.before.outline()).map(qualifiedName));
  const added = new Set(file.added.map((line) => line.new));
  return (await file.after.outline())
    .filter((definition) => added.has(definition.line) && !old.has(qualifiedName(definition)))
    .slice(0, MAX_NEW);
}
