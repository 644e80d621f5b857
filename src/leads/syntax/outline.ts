import type { Definition } from "./definition.ts";
import type { Language } from "./language.ts";
import { outlineTree } from "./outline-tree.ts";
import { outlineTokens } from "./outline-tokens.ts";
import { parseTree } from "./parser.ts";

/**
 * Definitions of a file in text order. Python, JavaScript and TypeScript are read from a syntax tree where the optional
 * parser is installed; everything else, and these without it, by tokens and blocks.
 */
export async function outline(text: string, language: Language): Promise<Definition[]> {
  const tree = await parseTree(text, language);
  return tree === undefined ? outlineTokens(text, language) : outlineTree(tree, text, language);
}
