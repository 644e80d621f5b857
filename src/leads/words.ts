import type { Token } from "./syntax/lex.ts";

/** Names so common that sharing one ties nothing to anything. */
const COMMON = new Set(
  `abstract and any args arguments array async await bool boolean break case catch char class cls cmp const constructor
  continue data def default del delete dict do double elif else enum except export exports extends extern false final
  finally float fn for from func function get global go goto if implements import in index info instanceof int interface
  is item items key keys kwargs lambda len length let list long main map match mod module mut name namespace new nil node
  none nonlocal not null number obj object of opts options or package pass path private protected pub public raise range
  require res result return self set short size static str string struct sub super switch sync text this throw throws
  trait true try tuple type types typeof undefined unsigned use val value values var vec virtual void when where while
  with yield`.split(/\s+/),
);

/** Identifiers among some tokens that are worth comparing: at least three letters and not everywhere. */
export function telling(tokens: readonly Token[]): Set<string> {
  const names = new Set<string>();
  for (const token of tokens) {
    if (token.kind === "name" && token.text.length >= 3 && !COMMON.has(token.text.toLowerCase()))
      names.add(token.text);
  }
  return names;
}

/** `parseUrl_fast` -> parse, url, fast */
export function subwords(text: string): string[] {
  return text
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== "");
}

const FILLER = new Set(
  `about after again also because been before being both could does done each even every from have here into itself just
  like made make many more most much must need never only other over same should since some such than that their them then
  there these they this those through under until used uses using very want well were what when where which while will
  with without would your`.split(/\s+/),
);

/** Content words of a text, lower case, a plural `s` taken off. */
export function contentWords(text: string): Set<string> {
  const words = subwords(text).filter((word) => word.length >= 4 && !FILLER.has(word) && !COMMON.has(word));
  return new Set(words.map((word) => word.replace(/s$/, "")));
}

/** A word that only an identifier would be: camelCase, snake_case or with a digit inside. */
export function isDistinctive(word: string): boolean {
  return /[a-z][A-Z]|[A-Za-z\d]_[A-Za-z\d]|[A-Za-z]\d/.test(word);
}

export function overlaps<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): boolean {
  for (const value of a) if (b.has(value)) return true;
  return false;
}
