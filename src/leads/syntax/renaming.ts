import type { SourceFile } from "../source-file.ts";
import type { Language } from "./language.ts";
import { between, code, type Token } from "./lex.ts";
import { bodyTokens, boundNames, isMember } from "./normal-form.ts";
import type { Definition } from "./definition.ts";

interface Version {
  file: SourceFile;
  definition: Definition;
}

const OPEN = /^[([{]$/;
const CLOSE = /^[)\]}]$/;

/** A Python body without the annotations of its variables: `name: Type = value`. */
function withoutAnnotations(tokens: readonly Token[], language: Language): Token[] {
  if (language !== "python") return [...tokens];
  const kept: Token[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (token === undefined) break;
    kept.push(token);
    const first = tokens[at - 1] === undefined || tokens[at - 1]?.line !== token.line;
    if (!first || token.kind !== "name" || tokens[at + 1]?.text !== ":") continue;
    let end = at + 2;
    for (let depth = 0; end < tokens.length && tokens[end]?.line === token.line; end += 1) {
      const text = tokens[end]?.text ?? "";
      if (depth === 0 && text === "=") break;
      depth += Number(OPEN.test(text)) - Number(CLOSE.test(text));
    }
    if (tokens[end]?.text === "=") at = end - 1;
  }
  return kept;
}

function bodyOf({ file, definition }: Version, language: Language): Token[] {
  return withoutAnnotations(bodyTokens(file.tokens(), definition, language), language);
}

/** The head between the name and the body, for telling whether annotations came or went. */
function headOf({ file, definition }: Version): string {
  const head = code(between(file.tokens(), definition.start, definition.bodyStart));
  return head.map((token) => token.text).join(" ");
}

/** Pairs of names that stand at the same places; undefined when the texts differ in more than the functions' own names. */
function renames(
  old: readonly Token[],
  now: readonly Token[],
  own: ReadonlySet<string>,
): Map<string, string> | undefined {
  if (old.length !== now.length) return undefined;
  const pairs = new Map<string, string>();
  const taken = new Map<string, string>();
  for (const [at, token] of old.entries()) {
    const other = now[at];
    if (other === undefined || other.kind !== token.kind) return undefined;
    if (token.kind !== "name" || isMember(old, at) || !own.has(token.text)) {
      if (
        token.text === other.text ||
        (token.kind === "string" && token.text.slice(1, -1) === other.text.slice(1, -1))
      )
        continue;
      return undefined;
    }
    if (
      (pairs.get(token.text) ?? other.text) !== other.text ||
      (taken.get(other.text) ?? token.text) !== token.text
    )
      return undefined;
    pairs.set(token.text, other.text);
    taken.set(other.text, token.text);
  }
  return pairs;
}

/**
 * What was done to a function whose effect stayed the same: "renamed variables", "type annotations" or both. Undefined
 * when it is the same text, or when more than that changed.
 */
export function sameButNames(old: Version, now: Version, language: Language): string | undefined {
  const params = ({ definition }: Version) => definition.params.map((param) => param.name);
  if (params(old).length !== params(now).length) return undefined;
  const defaults = ({ definition }: Version) => definition.params.map((param) => param.default ?? "").join();
  if (defaults(old) !== defaults(now)) return undefined;
  const [before, after] = [bodyOf(old, language), bodyOf(now, language)];
  const pairs = renames(before, after, new Set([...params(old), ...boundNames(before)]));
  if (pairs === undefined) return undefined;
  const renamed = [...pairs].filter(([from, to]) => from !== to).length > 0;
  const sameHead = params(old).join() !== params(now).join() || headOf(old) === headOf(now);
  const sameBody = (version: Version, plain: readonly Token[]) =>
    bodyTokens(version.file.tokens(), version.definition, language).length === plain.length;
  const annotated = language === "python" && !(sameHead && sameBody(old, before) && sameBody(now, after));
  const what = [...(renamed ? ["renamed variables"] : []), ...(annotated ? ["type annotations"] : [])];
  return what.length === 0 ? undefined : what.join(" and ");
}

/** Whether a Python function says the type of a parameter or of its result. */
export function isAnnotated(file: SourceFile, definition: Definition): boolean {
  return (
    definition.params.some((param) => /^\**\s*\w+ :/.test(param.text)) ||
    /\) ->/.test(headOf({ file, definition }))
  );
}
