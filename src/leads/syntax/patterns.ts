import type { Normal } from "./normal-form.ts";

/** Least that a pattern has to fix: tokens that are no parameter, and words or literals that tell it from any other. */
const FIXED = 10;
const TELLING = 3;
/** Least share of a helper's body that a pattern makes up: a condition that happens to be in it is not what it is for. */
const SHARE = 0.4;
/** Several statements have to be nearly the whole of it: functions of one family begin alike. */
const WHOLE = 0.8;
const PLAIN =
  /^(?:\W+|\$\d+|[01]|length|len|size|return|if|not|and|or|in|is|true|false|True|False|null|None|undefined|self|this|typeof|new|await|const|let|for)$/;

function isWorthFinding(pattern: readonly Normal[]): boolean {
  // Without its parameter a form does not say what the helper does.
  if (!pattern.some((part) => /^\$\d+$/.test(part.text))) return false;
  const fixed = pattern.filter((part) => !/^\$\d+$/.test(part.text));
  const telling = new Set(
    fixed.map((part) => part.text).filter((text) => !PLAIN.test(text) || /^["'`].*[^\s]["'`]$/.test(text)),
  );
  const strings = [...telling].filter((text) => /^["'`]/.test(text)).length;
  return fixed.length >= FIXED && (telling.size >= TELLING || (strings >= 2 && fixed.length >= 2 * FIXED));
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
    if (part.text === "return") {
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
