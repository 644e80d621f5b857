import type { Assertion } from "./assertions.ts";
import type { Edit } from "./edits.ts";
import { demands, isLooser, isPartOf, strength } from "./strength.ts";

/** The new assertion about the same thing: in the same test, with a common operand, or the only one of its kind. */
export function partner(old: Assertion, fresh: readonly Assertion[]): Assertion | undefined {
  const inTest = fresh.filter((one) => one.test === old.test);
  const scored = inTest.map((one) => ({ one, score: likeness(old, one) })).filter(({ score }) => score > 0);
  scored.sort(
    (a, b) => b.score - a.score || Math.abs(a.one.line - old.line) - Math.abs(b.one.line - old.line),
  );
  return scored[0]?.one ?? inTest.find((one) => strength(one) === 0);
}

function likeness(old: Assertion, now: Assertion): number {
  if (sharesSubject(old, now)) return 4 + Number(old.matcher === now.matcher);
  const common = old.operands.some((operand) => operand.length > 1 && now.operands.includes(operand));
  if (common) return 2;
  if (THROWS.test(old.matcher) && THROWS.test(now.matcher)) return 1;
  const call = /^[\w.]+(?=\()/.exec(old.operands[0] ?? "")?.[0];
  return call !== undefined && now.text.includes(`${call}(`) && old.matcher === now.matcher ? 1 : 0;
}

/** A common operand that is computed, not a literal: the value under test. */
function sharesSubject(old: Assertion, now: Assertion): boolean {
  return old.operands.some(
    (operand) =>
      isComputed(operand) && now.operands.some((other) => other === operand || other.includes(operand)),
  );
}

function isComputed(operand: string): boolean {
  return (
    /[A-Za-z_]\w*/.test(operand) &&
    !/^(["'`].*["'`]|true|false|null|none|undefined|[rbf]".*"|-?\d[\d.eE_+-]*)$/i.test(operand) &&
    operand.length > 1
  );
}

/** What was written in place of an assertion neither compares as strictly nor expects half as much. */
export function areWeaker(old: Assertion | undefined, missing: Assertion[], written: Assertion[]): boolean {
  if (old === undefined || written.length === 0) return false;
  const texts = (of: Assertion[]) => of.map((one) => one.text);
  const weaker = written.every((one) => strength(one) < strength(old));
  return weaker && demands(texts(written)) * 2 < demands(texts(missing));
}

/** Undefined for an assertion that demands as much as before of the same values. */
export function comparisonOf(old: Assertion, now: Assertion): Pick<Edit, "kind" | "says"> | undefined {
  if (strength(now) === 0)
    return {
      kind: "neutralised",
      says: "replaces an assertion of an existing test by one that always holds",
    };
  if (strength(now) < strength(old) || isLooser(old, now) || isBroader(old, now) || isPartOf(now, old))
    return { kind: "weakened", says: "asserts less about the same value in an existing test" };
  const same =
    old.operands.length === now.operands.length &&
    old.operands.every((operand) => now.operands.includes(operand));
  if (same || isLooser(now, old)) return undefined;
  return sharesSubject(old, now)
    ? { kind: "expectation", says: "changes what an existing test expects" }
    : { kind: "data", says: "changes what an existing test hands to the code" };
}

const THROWS = /raises|throws|rejects/i;

/** Any exception instead of a certain one, or no message any more. */
function isBroader(old: Assertion, now: Assertion): boolean {
  if (!THROWS.test(old.matcher) || !THROWS.test(now.matcher)) return false;
  const [was = "", is = ""] = [old.operands[0], now.operands[0]];
  return (
    was !== is &&
    /^(Base)?(Exception|Error|Throwable)(\.class)?$/.test(is) &&
    !/^(Base)?(Exception|Error|Throwable)/.test(was)
  );
}
