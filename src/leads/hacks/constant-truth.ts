const TRUE =
  /^(true|True|!0|1|!false|not False|not None|not \(?\)?|bool\(1\)|Boolean\(1\)|Ok\(true\)|Some\((std::cmp::)?(Ordering::)?Equal\)|(std::cmp::)?Ordering::Equal)$/;
/** Holds for every value that is not of an own type. */
const BY_BUILTIN_TYPE =
  /^(isinstance\(\w+, ?\(?(builtins\.)?(object|str|int|float|list|dict|tuple|set|bytes|bool|type)\b[\w, .()]*\)|typeof \w+ ?===? ?["'`]\s*["'`]|Array\.isArray\(\w+\)|\w+ instanceof (Object|Array|String|Comparable)|\w+ is not None|\w+ ?!==? ?(null|undefined|None|nil)|type\(\w+\) (is|==) (str|int|float|list|dict|tuple))$/;
const SAME_ON_BOTH_SIDES = /^([\w.[\]()]+) ?(?:===?|is|>=|<=) ?\1$/;
const OR_TRUE = /(\|\||\bor\b) ?(true|True|!0|1)$|^(true|True|!0|1) ?(\|\||\bor\b)/;

/** An expression, on one line with single blanks, that is true whatever it is given. */
export function isAlwaysTrue(expression: string): boolean {
  const text = expression.trim().replace(/^\((.*)\)$/, "$1");
  return [TRUE, BY_BUILTIN_TYPE, SAME_ON_BOTH_SIDES, OR_TRUE].some((pattern) => pattern.test(text));
}

/**
 * What the body of a function can give back, as far as its text tells: what follows `return`, or the last expression of
 * a body without one. Statements are parted by ` ¦ `; strings are blank.
 */
export function results(body: string): string[] {
  const returned = [...body.matchAll(/\breturn\b ?([^;¦}]*)/g)].map(([, value]) => value ?? "");
  if (returned.length > 0) return returned;
  const parts = body.split(/[;¦{}]/).map((part) => part.trim());
  return parts.filter((part) => part !== "" && part !== "end").slice(-1);
}
