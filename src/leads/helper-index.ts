import type { Workspace } from "../workspace/types.ts";
import { neighbours } from "./neighbours.ts";
import type { SourceFile } from "./source-file.ts";
import { normalBody, type Normal } from "./syntax/normal-form.ts";
import { patternsOf } from "./syntax/patterns.ts";
import type { Definition } from "./syntax/outline.ts";
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
const files = new WeakMap<SourceFile, Helper[]>();

/** Longest body that counts as a helper, in tokens. */
const MAX_BODY = 400;

function helpersOf(file: SourceFile): Helper[] {
  const known = files.get(file);
  if (known !== undefined) return known;
  const { language } = file;
  const made =
    language === undefined
      ? []
      : outlineTokens(file.text, language)
          .filter((definition) => definition.kind === "function" && definition.endLine - definition.line < 80)
          .map((definition) => {
            const body = normalBody(file.tokens(), definition, language);
            return { file, definition, body, patterns: patternsOf(body) };
          })
          .filter((helper) => helper.body.length <= MAX_BODY);
  files.set(file, made);
  return made;
}

/** Functions of the base within reach of a file: see `neighbours`. */
export function helpersNear(workspace: Workspace, path: string): Promise<Helper[]> {
  const index = indexes.get(workspace) ?? new Map<string, Promise<Helper[]>>();
  indexes.set(workspace, index);
  const known = index.get(path) ?? neighbours(workspace, path).then((near) => near.flatMap(helpersOf));
  index.set(path, known);
  return known;
}
