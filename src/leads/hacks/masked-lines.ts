import { hasHashComments, languageOf, type Language } from "../syntax/language.ts";
import { lex } from "../syntax/lex.ts";

/** Characters of one line that a pattern is held against; generated files have lines of megabytes. */
const MAX_LINE = 20_000;

/**
 * The lines of a file in three forms with equal columns: as they are, with comments blanked out, and with comments
 * and the contents of strings blanked out. Index 0 is line 1; lines end at LF only.
 */
export interface MaskedLines {
  text: string[];
  code: string[];
  bare: string[];
}

/** Comments and strings blanked by the lexer of the file's language, or by `#` alone where there is no lexer. */
export function maskLines(text: string, path: string): MaskedLines {
  const language = languageOf(path);
  if (language === undefined) {
    const code = split(text).map((line) => withoutHashComment(line, path));
    return { text: text.split("\n"), code, bare: code };
  }
  const { code, bare } = blank(text, language);
  return { text: text.split("\n"), code: split(code), bare: split(bare) };
}

function split(text: string): string[] {
  return text.split("\n").map((line) => line.slice(0, MAX_LINE));
}

function blank(text: string, language: Language): { code: string; bare: string } {
  const code: string[] = [];
  const bare: string[] = [];
  let at = 0;
  for (const token of lex(text, language)) {
    if (token.kind !== "comment" && token.kind !== "string") continue;
    const between = text.slice(at, token.start);
    const blanked = token.text.replace(/[^\n]/g, " ");
    code.push(between, token.kind === "comment" ? blanked : token.text);
    bare.push(between, token.kind === "comment" ? blanked : hollow(token.text, blanked));
    at = token.start + token.text.length;
  }
  const rest = text.slice(at);
  return { code: code.join("") + rest, bare: bare.join("") + rest };
}

/** A string without its content: the first and last character stay, so that `("")` still looks like a call. */
function hollow(text: string, blanked: string): string {
  return text.length < 2 ? text : `${text[0]}${blanked.slice(1, -1)}${text.at(-1)}`;
}

const HASH_FILE =
  /\.(ya?ml|toml|ini|cfg|conf|properties|mk|txt|pth|env)$|(^|\/)(makefile|gnumakefile|dockerfile|justfile|\.[^/]*rc)$/i;

function withoutHashComment(line: string, path: string): string {
  if (!HASH_FILE.test(path)) return line;
  const comment = /(^|\s)#/.exec(line);
  return comment === null ? line : line.slice(0, comment.index + (comment[1] ?? "").length);
}

/** What stands in the comment of a line; empty for a line without one. */
export function commentOf(lines: MaskedLines, index: number): string {
  return masked(lines.text[index]?.slice(0, MAX_LINE) ?? "", lines.code[index] ?? "");
}

/** What stands inside the strings of a line. */
export function stringsOf(line: { code: string; bare: string }): string {
  return masked(line.code, line.bare);
}

/** The characters that one form blanks out; what it keeps stands as white space. */
function masked(full: string, blanked: string): string {
  let out = "";
  for (let at = 0; at < full.length; at += 1) out += full[at] === blanked[at] ? " " : (full[at] ?? "");
  // White space inside looks blanked and is not; either way words stay apart.
  return out.replace(/\s+/g, " ").trim();
}

/** The lines that belong to the statement or definition which begins at `index`; `end` is its last line. */
export function blockEnd(lines: MaskedLines, index: number, language: Language | undefined): number {
  return language !== undefined && hasHashComments(language)
    ? indentedEnd(lines, index)
    : bracedEnd(lines, index);
}

/** Longest definition that is looked through, in lines. */
const MAX_BLOCK = 300;

function indentedEnd(lines: MaskedLines, index: number): number {
  const own = indent(lines.bare[index] ?? "");
  let end = index;
  for (let at = index + 1; at < Math.min(lines.bare.length, index + MAX_BLOCK); at += 1) {
    const line = lines.bare[at] ?? "";
    if (line.trim() === "") continue;
    // A closing bracket of the header may stand at the header's own indent.
    if (indent(line) <= own && !/^\s*[)\]}]/.test(line)) break;
    end = at;
  }
  return end;
}

function bracedEnd(lines: MaskedLines, index: number): number {
  let depth = 0;
  let opened = false;
  for (let at = index; at < Math.min(lines.bare.length, index + MAX_BLOCK); at += 1) {
    for (const char of lines.bare[at] ?? "") {
      if (char === "{" || char === "(" || char === "[") {
        depth += 1;
        opened = true;
      } else if (char === "}" || char === ")" || char === "]") depth -= 1;
    }
    if (depth < 0) return at;
    const next = lines.bare[at + 1]?.trim() ?? "";
    if (opened && depth === 0 && !/^[{.]/.test(next)) return at;
  }
  return Math.min(lines.bare.length, index + MAX_BLOCK) - 1;
}

export function indent(line: string): number {
  return line.length - line.trimStart().length;
}
