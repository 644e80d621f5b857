import type { SgNode } from "@ast-grep/napi";
import { isScript, type Language } from "./language.ts";

/** A node of a syntax tree. Offsets and columns count UTF-16 units, lines count from 0. */
export type Node = SgNode;

type Parse = (text: string) => Node;

/** What the optional parsers can read here, and what is lost where one is missing. */
export interface SyntaxSupport {
  script: boolean;
  python: boolean;
  /** For people: empty when nothing is lost. */
  lost: string;
}

interface Parsers {
  script?: (language: Language, text: string) => Node;
  python?: Parse;
}

let loaded: Promise<Parsers> | undefined;

/** The optional packages are imported once a process, at the first question. */
function parsers(): Promise<Parsers> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<Parsers> {
  const napi = await import("@ast-grep/napi").catch(() => undefined);
  if (napi === undefined) return {};
  const { Lang, parse } = napi;
  const script = (language: Language, text: string) => {
    if (language === "javascript") return parse(Lang.JavaScript, text).root();
    return parse(language === "tsx" ? Lang.Tsx : Lang.TypeScript, text).root();
  };
  const python = await import("@ast-grep/lang-python").catch(() => undefined);
  if (python === undefined) return { script };
  try {
    napi.registerDynamicLanguage({ python: python.default });
    parse("python", "pass\n");
  } catch {
    // The package is there but has no parser library for this machine.
    return { script };
  }
  return { script, python: (text) => parse("python", text).root() };
}

/** The syntax tree of a text; undefined for languages without a parser and where the optional package is missing. */
export async function parseTree(text: string, language: Language): Promise<Node | undefined> {
  const { script, python } = await parsers();
  if (language === "python") return python?.(text);
  return isScript(language) ? script?.(language, text) : undefined;
}

/** What is lost where an optional parser is missing, for people; empty when nothing is. */
export function lossWithout(script: boolean, python: boolean): string {
  if (script && python) return "";
  const missing = script
    ? "@ast-grep/lang-python (Python)"
    : "@ast-grep/napi (JavaScript, TypeScript, Python)";
  return `without ${missing} functions are found by tokens alone, and code in comments by its form alone`;
}

/** For `gagar doctor`: whether syntax trees are at hand. */
export async function syntaxSupport(): Promise<SyntaxSupport> {
  const found = await parsers();
  const [script, python] = [found.script !== undefined, found.python !== undefined];
  return { script, python, lost: lossWithout(script, python) };
}
