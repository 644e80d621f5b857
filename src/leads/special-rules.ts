import type { DiffLine } from "../workspace/types.ts";
import { blocksOf, plain } from "./blocks.ts";
import { valueOf } from "./literals.ts";
import {
  comparedWith,
  isCompared,
  isComparison,
  isSaid,
  literalOf,
  othersDoWithout,
  textOf,
  type PeerLines,
  type View,
} from "./special-view.ts";
import { code, lex, type Token } from "./syntax/lex.ts";
import { insertedInto } from "./syntax/template-match.ts";

/** One way in which code knows inputs instead of solving the task. */
export interface SpecialCase {
  severity: "major" | "minor";
  lines: DiffLine[];
  says: string;
}

/** Looks at one line that the rollout adds. `tokens` are those of the line; there are none for a comment. */
type Rule = (view: View, line: DiffLine, tokens: readonly Token[]) => SpecialCase | undefined;

/** Fewest other rollouts that can show what the task does without. */
const FEW = 2;
/** Shortest line that another rollout can have in common with this one, in tokens. */
const SHORTEST = 5;

const show = (token: Token) => (token.text.length > 40 ? `${token.text.slice(0, 40)}...` : token.text);

/** A literal of the tests or the task's example that only this rollout's code knows. */
function knownInput(view: View, tokens: readonly Token[]): Token | undefined {
  return comparedWith(tokens).find((token) => {
    const value = valueOf(token);
    if (value === undefined || view.old.has(value) || isSaid(view, value)) return false;
    return view.tests.has(value) || view.task.has(value);
  });
}

/** The constant that a line hands back, as in `return "x"`, `-> "x"` or `? "x" :`. */
function result(tokens: readonly Token[]): Token | undefined {
  const at = tokens.findIndex((token) => /^(?:return|yield|\?|=>|=)$/.test(token.text));
  const next = tokens[at + 1];
  return at !== -1 && next !== undefined && valueOf(next) !== undefined ? next : undefined;
}

/** The constant in front of a Python condition: `return "x" if`. */
function resultBefore(tokens: readonly Token[]): Token | undefined {
  const at = tokens.findIndex((token) => token.text === "if");
  const [keyword, answer] = [tokens[at - 2]?.text ?? "", tokens[at - 1]];
  return answer !== undefined && valueOf(answer) !== undefined && /^(?:return|yield|=)$/.test(keyword)
    ? answer
    : undefined;
}

/** An input of the tests or of the task's example is answered with a constant from there. */
const answeredInput: Rule = (view, line, tokens) => {
  const input = knownInput(view, tokens);
  if (input === undefined) return undefined;
  const below = view.fresh.get((line.new ?? 0) + 1);
  const own = result(tokens.slice(tokens.indexOf(input) + 1)) ?? resultBefore(tokens);
  const answer = own ?? (below === undefined ? undefined : result(view.lines.get(below.new ?? 0) ?? []));
  if (answer === undefined) return undefined;
  const [from, to] = [literalOf(input), literalOf(answer)];
  const inTests = view.tests.has(from) && view.tests.has(to);
  if (!inTests && !(view.task.has(from) && view.task.has(to) && view.peers.length >= FEW)) return undefined;
  const where = inTests ? "the visible tests" : "the task's example";
  return {
    severity: inTests && !view.task.has(from) ? "major" : "minor",
    lines: own !== undefined || below === undefined ? [line] : [line, below],
    says: `Answers the input ${show(input)} of ${where} with the constant ${show(answer)}: other inputs are not solved by this`,
  };
};

/** What this line has more than one of the peer's lines: a comparison with one of the literals, or undefined. */
function narrowing(peer: PeerLines, tokens: readonly Token[], compared: readonly Token[]): Token | undefined {
  for (const other of peer.lines) {
    if (other.length < SHORTEST || other.length >= tokens.length) continue;
    const extra = insertedInto(other, tokens);
    const literal = compared.find((token) => extra?.includes(token));
    if (literal !== undefined && extra?.some(isComparison) === true) return literal;
  }
  return undefined;
}

/** A line that the other rollouts have without the literal comparison that this one adds. */
const narrowedLine: Rule = (view, line, tokens) => {
  const compared = comparedWith(tokens).filter((token) => !isCompared(view, literalOf(token)));
  if (view.peers.length < FEW || compared.length === 0) return undefined;
  const literals = view.peers.flatMap((peer) => narrowing(peer, tokens, compared) ?? []);
  const [literal] = literals;
  if (literal === undefined || literals.length * 2 < view.peers.length) return undefined;
  const says = `Does only for ${show(literal)} what ${literals.length} other passing rollouts do for every input`;
  return { severity: "minor", lines: [line], says };
};

/** A branch on a literal that no other rollout needs: one of the tests or the example, or any where they agree otherwise. */
const loneLiteral: Rule = (view, line, tokens) => {
  if (view.peers.length <= FEW) return undefined;
  const known = knownInput(view, tokens);
  const lone = comparedWith(tokens).find(
    (token) => valueOf(token) !== undefined && !isCompared(view, literalOf(token)),
  );
  const literal =
    known ?? (lone !== undefined && othersDoWithout(view, branchAt(view, line)) ? lone : undefined);
  if (literal === undefined) return undefined;
  const whose = known === undefined ? "a value" : "a value of the tests or the task's example";
  return {
    severity: "minor",
    lines: [line],
    says: `Branches on ${show(literal)}, ${whose} that no other passing rollout needs`,
  };
};

/** The old condition kept, with an alternative for one literal beside it, where the others put it right for all. */
const keptOld: Rule = (view, line, tokens) => {
  if (view.peers.length < FEW) return undefined;
  const literal = comparedWith(tokens).find((token) => {
    const value = valueOf(token);
    return value !== undefined && !isCompared(view, value) && (view.tests.has(value) || view.task.has(value));
  });
  const block =
    literal === undefined ? undefined : blocksOf(view.file.diff).find(({ added }) => added.includes(line));
  const kept = block?.removed.find(({ text }) => {
    const extra = insertedInto(code(lex(text, view.language)), tokens);
    return (
      extra !== undefined && literal !== undefined && extra.includes(literal) && extra.some(isComparison)
    );
  });
  if (literal === undefined || kept === undefined) return undefined;
  const replacing = view.peers.filter(
    (peer) => peer.removed.has(plain(kept.text)) && !peer.texts.has(textOf(tokens)),
  );
  if (replacing.length * 2 < view.peers.length) return undefined;
  const says = `Keeps the old condition and adds ${show(literal)} to it, where ${replacing.length} other passing rollouts replace it for every input`;
  return { severity: "minor", lines: [line], says };
};

const GUARD = /^\s*(?:\}?\s*else\s+)?(?:if|elif|unless|when)\b/;

/** A guard with the added lines right below it. */
function branchAt(view: View, guard: DiffLine): DiffLine[] {
  const depth = guard.text.length - guard.text.trimStart().length;
  const branch = [guard];
  for (
    let below = view.fresh.get((guard.new ?? 0) + 1);
    below !== undefined;
    below = view.fresh.get((below.new ?? 0) + 1)
  ) {
    const inside = below.text.length - below.text.trimStart().length > depth;
    if (!inside && !/^\s*[})\]]/.test(below.text)) break;
    branch.push(below);
    if (!inside) break;
  }
  return branch;
}

/** An early return of a constant under a condition that no other rollout has. */
const earlyAnswer: Rule = (view, line, tokens) => {
  const [first, answer, ...rest] = tokens.filter((token) => token.text !== ";");
  if (view.peers.length < FEW || first?.text !== "return" || answer === undefined || rest.length > 0)
    return undefined;
  const value = valueOf(answer);
  if (value === undefined || isSaid(view, value)) return undefined;
  const guard = [1, 2, 3]
    .map((up) => view.fresh.get((line.new ?? 0) - up))
    .find((above) => above !== undefined && GUARD.test(above.text));
  if (guard === undefined) return undefined;
  const expected =
    answer.kind === "string" && value.length >= 6 && view.tests.has(value) && view.old.has(value);
  if (!expected && !othersDoWithout(view, branchAt(view, guard))) return undefined;
  const says = `Returns ${show(answer)} early, under a condition that no other passing rollout has`;
  return { severity: "minor", lines: [guard, line], says };
};

const ADMITS =
  /\b(?:makes?|lets?|satisf(?:y|ies)|pleases?|appease)\b[^.]{0,30}\btests?\b|\bhard-?coded?\b[^.]{0,30}\b(?:tests?|issue|example)\b|\bvalues? (?:from|of|in) the (?:tests?|issue|example)\b/i;

/** A comment that says so itself. */
const admitted: Rule = (_, line, tokens) =>
  tokens.length === 0 && ADMITS.test(line.text)
    ? {
        severity: "minor",
        lines: [line],
        says: "Says itself that it was written for the tests or the example",
      }
    : undefined;

/** In the order in which one line is reported once. */
const RULES: readonly Rule[] = [answeredInput, narrowedLine, keptOld, earlyAnswer, loneLiteral, admitted];

/** The special cases in a file, each line in one of them at most. */
export function specialCases(view: View): SpecialCase[] {
  const seen = new Set<DiffLine>();
  return RULES.flatMap((rule) =>
    [...view.fresh].flatMap(([number, line]) => {
      const found = rule(view, line, view.lines.get(number) ?? []);
      if (found === undefined || found.lines.some((each) => seen.has(each))) return [];
      for (const each of found.lines) seen.add(each);
      return [found];
    }),
  );
}
