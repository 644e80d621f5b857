import type { Normal } from "./normal-form.ts";

/** Least that a pattern has to fix: tokens that are no parameter, and words or literals that tell it from any other. */
const FIXED = 10;
export const TELLING = 3;
/** A regular expression or a text of some length is found by itself, in a form of at least so many tokens. */
const SHORT = 6;
const LONG_LITERAL = /^["'`/].{12,}/s;
/** Least share of a helper's body that a pattern makes up: a condition that happens to be in it is not what it is for. */
const SHARE = 0.4;
/** Several statements have to be nearly the whole of it: functions of one family begin alike. */
const WHOLE = 0.8;
const PLAIN =
  /^(?:\W+|\$\d+|[01]|length|len|size|return|if|not|and|or|in|is|true|false|True|False|null|None|undefined|self|this|typeof|new|await|const|let|for)$/;

const isFixed = (part: Normal) => !/^\$\d+$/.test(part.text);

/** Different words and literals of a form that tell it from any other. */
export function tellingParts(pattern: readonly Normal[]): number {
  const texts = pattern.filter(isFixed).map((part) => part.text);
  return new Set(texts.filter((text) => !PLAIN.test(text) || /^["'`].*[^\s]["'`]$/.test(text))).size;
}

function isWorthFinding(pattern: readonly Normal[]): boolean {
  const fixed = pattern.filter(isFixed);
  // Without its parameter a form does not say what the helper does.
  if (fixed.length === pattern.length) return false;
  if (fixed.length >= SHORT && fixed.some((part) => LONG_LITERAL.test(part.text))) return true;
  const strings = new Set(fixed.map((part) => part.text).filter((text) => /^["'`].*[^\s]["'`]$/.test(text)))
    .size;
  return (
    fixed.length >= FIXED && (tellingParts(pattern) >= TELLING || (strings >= 2 && fixed.length >= 2 * FIXED))
  );
}

function balancedPrefix(parts: readonly Normal[], stop: (part: Normal, depth: number) => boolean): Normal[] {
  let depth = 0;
  for (const [at, part] of parts.entries()) {
    if (stop(part, depth)) return parts.slice(0, at);
    if (/^[([{]$/.test(part.text)) depth += 1;
    if (/^[)\]}]$/.test(part.text)) depth -= 1;
    if (depth < 0) return parts.slice(0, at);
  }
  return [...parts];
}

/** Conditions and results of a helper's body that are long enough to be recognised elsewhere. */
export function patternsOf(body: readonly Normal[]): Normal[][] {
  const found: Normal[][] = [];
  for (const [at, part] of body.entries()) {
    const rest = body.slice(at + 1);
    const last = part.line;
    if (part.text === "return" || part.text === "=") {
      found.push(
        balancedPrefix(
          rest,
          (other, depth) =>
            depth === 0 &&
            (/^(?:return|case|else|elif)$/.test(other.text) ||
              (other.line > last && !/^[.?&|+:*/-]/.test(other.text))),
        ),
      );
    } else if (part.text === "if" && rest[0]?.text === "(")
      found.push(balancedPrefix(rest.slice(1), () => false));
    else if (part.text === "if")
      found.push(balancedPrefix(rest, (other, depth) => depth === 0 && /^(?::|\{|else)$/.test(other.text)));
  }
  // A longer body written out in place has no return of its own.
  const steps = body.slice(
    0,
    Math.max(
      0,
      body.findIndex((part) => part.text === "return"),
    ),
  );
  if (steps.length >= Math.max(2 * FIXED, WHOLE * body.length)) found.push(steps);
  // An arrow function or a single expression is its own result.
  if (!body.some((part) => part.text === "return")) found.push([...body]);
  return found.filter((pattern) => pattern.length >= SHARE * body.length && isWorthFinding(pattern));
}
