/** The statement without code blocks and inline code: what its author says in words. */
export function prose(statement: string): string {
  return statement.replaceAll(/```[\s\S]*?(?:```|$)/g, "\n").replaceAll(/`[^`\n]+`/g, "` `");
}

/** Everything that the statement sets as code: fenced and indented blocks, inline spans. */
export function codeParts(statement: string): string[] {
  const fenced = [...statement.matchAll(/```[^\n]*\n([\s\S]*?)(?:```|$)/g)].map((match) => match[1] ?? "");
  const rest = statement.replaceAll(/```[\s\S]*?(?:```|$)/g, "\n");
  const spans = [...rest.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? "");
  const indented = rest
    .split("\n")
    .filter((line) => /^(?: {4}|\t)\S/.test(line) && !/^\s*(?:[-*+]|\d+\.)\s/.test(line));
  return [...fenced, ...spans, ...indented];
}

export function sentences(text: string): string[] {
  return text
    .split(/(?<=[.!?:;])\s+|\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.)\s)/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

const WISH =
  /\b(?:should|must|shall|needs? to|has to|have to|want|would like|please|add|emit|make|expected?|instead)\b/i;

/** Whether a sentence of the statement's prose asks for one of these things; word stems, lower case. */
export function asks(statement: string, stems: readonly string[]): boolean {
  const wanted = new RegExp(`\\b(?:${stems.join("|")})(?:s|ed|ing|ning|ged|ging)?\\b`, "i");
  return sentences(prose(statement)).some((sentence) => wanted.test(sentence) && WISH.test(sentence));
}

/** Whether the statement names an identifier: as code, or as a word that only an identifier would be. */
export function namesIdentifier(statement: string, name: string): boolean {
  const whole = new RegExp(`(?<![\\w$])${escape(name)}(?![\\w$])`);
  if (codeParts(statement).some((part) => whole.test(part))) return true;
  const distinctive = /[a-z][A-Z]|\w_\w|\d/.test(name);
  return distinctive && whole.test(statement);
}

/** A text as a regular expression that matches just that text. */
export function escape(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}

const PARAMETER = "(?:parameter|argument|option|keyword|flag|kwarg|setting|field)s?";

/** Whether the statement speaks of a parameter: names it as an identifier, or calls a plain word a parameter. */
export function namesParameter(statement: string, name: string): boolean {
  if (name === "") return false;
  if (namesIdentifier(statement, name)) return true;
  const word = escape(name);
  return new RegExp(
    `\\b${word}\\b["'*]*\\s+${PARAMETER}\\b|\\b${PARAMETER}\\s+["'*]*${word}\\b|(?<![\\w.])${word}\\s*=\\s*\\S`,
    "i",
  ).test(statement);
}

/** Whether the statement wants a new parameter or option, whatever its name. */
export function asksForParameter(statement: string): boolean {
  const wish = new RegExp(
    `\\b(?:add|new|accept|introduce|optional|allow|support|provide|take|pass)\\w*\\b[^.\\n]{0,80}\\b${PARAMETER}\\b`,
    "i",
  );
  return wish.test(statement);
}
