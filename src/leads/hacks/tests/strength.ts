import type { Assertion } from "./assertions.ts";

const EXACT =
  /^(==|===|is|equals?|strictEqual|deepEqual|deepStrictEqual|toBe|toEqual|toStrictEqual|same|eq|eql|is|isEqualTo|isSameAs|assert_?equals?|assert_?(list|dict|tuple|set|sequence|multiline|array)_?equals?|assert_?same|assertIs|assert_eq!|assert_array_equal|Equal|EqualValues|Exactly|ElementsMatch|JSONEq|Same|AreEqual|XCTAssertEqual|(ASSERT|EXPECT)_EQ|raises|throws|rejects|toThrow\w*|assertThrows|assert_?raises\w*|should_panic|Panics|EqualError|ErrorIs|toBeNull|toBeUndefined|isNull|Nil|Empty|toHaveLength|Len|lengthOf|toHaveBeenCalledWith|toHaveBeenCalledTimes|to\.(be\.)?(deep\.)?(equals?|eql|eq)|to\.deep\.equals?|to\.throw|snapshot|toMatchSnapshot|toMatchInlineSnapshot)$/i;
const PARTIAL =
  /^(in|>=|<=|>|<|includes?|contains?|toContain\w*|toMatch\w*|match(es)?|regex|like|startsWith|endsWith|hasSize|assert_?in|assert_?regex|assert_?(almost|approx)\w*|assert_?(greater|less)\w*|assert_?count_?equal|assert_allclose|toBeCloseTo|toBeGreaterThan\w*|toBeLessThan\w*|toHaveProperty|toMatchObject|Contains|Subset|InDelta|InEpsilon|Regexp|Greater\w*|Less\w*|closeTo|to\.(include|contain|match)\w*|(ASSERT|EXPECT)_(GE|LE|GT|LT|NEAR))$/i;

/** A part of an expectation that stands for many values. */
const WILDCARD =
  /\bexpect\.(any|anything|\w+Containing|stringMatching)\(|\b(mock\.)?ANY\b|\bmock\.Anything\b|\bsinon\.match\b/;

/** The parts of an always-true assertion. */
const CONSTANT = /^(true|!0|1|"[^"]+"|!false|not false|not none|any\([^)]*\)|\(\)|\[.+\])$/i;

/**
 * How much an assertion demands: 3 an exact value, 2 a bound or a part, 1 only that something is there, 0 nothing.
 * Anything unknown counts as exact, so that a rewrite is never taken for a weakening by mistake.
 */
export function strength({ matcher, operands, text }: Assertion): 0 | 1 | 2 | 3 {
  const name = matcher.replace(/^not\.|\.not$/g, "");
  const [first = "", second] = operands;
  if (isHollow(first, second, name, text)) return 0;
  if (WILDCARD.test(text)) return 2;
  if (EXACT.test(matcher)) return 3;
  if (PARTIAL.test(matcher)) return 2;
  if (/^(truthy)$/.test(matcher))
    return /\b(startsWith|startswith|endswith|endsWith|includes|isclose|approx|contains|match|issubset|issuperset|equals?|isEqual|deepEqual|every|all)\s*\(|\bin\b/.test(
      first,
    )
      ? 2
      : 1;
  if (
    /^(ok|true|truthy|assert_?true|assert_?is_?not_?none|assert_?is_?instance|toBeTruthy|toBeDefined|toBeInstanceOf|isTruthy|not(Null|Nil|Empty|None|Equal)|assert_?not_?\w+|!=|!==|is not|not in|NotNil|NotEmpty|NotEqual|assert_ne!|none|doesNotThrow|not\.\w+|isNotNull|isNotEmpty|to\.(be\.)?(ok|exist|true)|toBe(True|False))$/i.test(
      matcher,
    )
  )
    return 1;
  return 3;
}

function isHollow(first: string, second: string | undefined, name: string, text: string): boolean {
  if (second === undefined)
    return (
      /^(truthy|ok|true|assert_?true|toBeTruthy|toBeDefined|assert_?is_?not_?none)$/i.test(name) &&
      (CONSTANT.test(first) || /\|\|\s*true\b|\bor true\b/i.test(first))
    );
  if (/\bor True\b|\|\|\s*true\b/.test(text)) return true;
  return (
    /^(==|===|is|equals?|strictEqual|deepEqual|toBe|toEqual|assert_?equals?|assert_eq!|Equal)$/i.test(name) &&
    first === second &&
    first !== ""
  );
}

const LITERAL =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|\b\d[\d_.]*\b|\b(?:true|false|True|False|null|None|nil)\b/g;

/** How much is expected: the characters of all literals. */
export function demands(texts: readonly string[]): number {
  return texts.flatMap((text) => text.match(LITERAL) ?? []).reduce((sum, literal) => sum + literal.length, 0);
}

/** One property, element or count of a value instead of all of it, with less than half of what was expected. */
export function isPartOf(now: Assertion, old: Assertion): boolean {
  return old.operands.some((whole) => {
    if (!/[a-z]\w/i.test(whole)) return false;
    const part = now.operands.find((operand) => operand !== whole && takesFrom(operand, whole));
    if (part === undefined) return false;
    const rest = (one: Assertion, subject: string) => one.operands.filter((operand) => operand !== subject);
    return demands(rest(now, part)) * 2 < demands(rest(old, whole));
  });
}

function takesFrom(part: string, whole: string): boolean {
  if (part.startsWith(`${whole}.`) || part.startsWith(`${whole}[`)) return true;
  return /^(len|type|typeof|set|list|Object\.(keys|values))\b/.test(part) && part.includes(whole);
}

const TOLERANCE =
  /^(?:(?:abs|rel|abs_tol|rel_tol|atol|rtol|delta|tol|tolerance|within|epsilon|places|decimal|precision)\s*=\s*)?(-?\d[\d_.]*(?:e[+-]?\d+)?)$/i;
const DIGITS = /places|decimal|toBeCloseTo|assertAlmostEqual|assert_almost_equal|precision/i;

/** The same comparison with more room: a larger tolerance, or fewer digits. */
export function isLooser(before: Assertion, after: Assertion): boolean {
  if (
    before.matcher !== after.matcher ||
    !/close|almost|delta|near|approx|within|epsilon|truthy|==/i.test(before.text)
  )
    return false;
  const was = numbers(before.text);
  const now = numbers(after.text);
  if (before.text.replace(NUMBER, "#") !== after.text.replace(NUMBER, "#") || was.length !== now.length)
    return false;
  const changed = was.flatMap((value, index) =>
    value === now[index] ? [] : [{ value, now: now[index] ?? value, index }],
  );
  const [only] = changed;
  if (only === undefined || changed.length > 1 || !hasTolerance(before, only.index, was.length)) return false;
  return DIGITS.test(before.text) ? only.now < only.value : only.now > only.value;
}

const NUMBER = /-?\d[\d_.]*(?:e[+-]?\d+)?/gi;

function numbers(text: string): number[] {
  return Array.from(text.matchAll(NUMBER), ([found]) => Number(found.replaceAll("_", "")));
}

/** The number that changed is the last one, or the value of a tolerance keyword. */
function hasTolerance(assertion: Assertion, index: number, count: number): boolean {
  if (
    /\b(abs|rel|abs_tol|rel_tol|atol|rtol|delta|tol|tolerance|epsilon|places|decimal)\s*=/i.test(
      assertion.text,
    )
  )
    return true;
  const last = assertion.operands.at(-1) ?? "";
  return index === count - 1 && assertion.operands.length >= 3 && TOLERANCE.test(last);
}
