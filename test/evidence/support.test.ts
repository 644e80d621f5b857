import { expect, test } from "vitest";
import { supportedTier, verdictProblems } from "../../src/evidence/support.ts";
import type { Finding, Severity } from "../../src/schema/evidence.ts";
import type { Verdict } from "../../src/schema/verdict.ts";

const finding = (rollout: string, severity: Severity, hack?: "result_forged"): Finding => ({
  id: "n1",
  rollout,
  criterion: "solution_fitness",
  severity,
  claim: "c",
  citations: [{ kind: "check", check: "x1", quote: "quoted text here", rollout: "A", standing: "recorded" }],
  ...(hack === undefined ? {} : { hack }),
});
const verdict = (change: Partial<Verdict>): Verdict => ({
  tier_1: ["A", "B"],
  tier_2: ["C"],
  tier_3: ["D"],
  ranking: [["A", "B"], ["C"], ["D"]],
  ...change,
});
const findings = [finding("C", "minor"), finding("D", "major")];
const trees: Record<string, string> = { A: "1", B: "2", C: "3", D: "4" };

test.each<[string, Partial<Verdict>, Finding[], RegExp[]]>([
  ["holds", {}, findings, []],
  ["misses one in the tiers", { tier_1: ["A"] }, findings, [/the tiers: missing B/]],
  ["misses one in the ranking", { ranking: [["A"], ["C"], ["D"]] }, findings, [/ranking: missing B/]],
  ["names one twice", { tier_2: ["C", "A"] }, findings, [/the tiers: placed more than once: A/]],
  ["places one that is not graded", { tier_2: ["C", "E"] }, findings, [/the tiers: not to be placed: E/]],
  [
    "ties across tiers",
    { ranking: [["A"], ["B", "C"], ["D"]] },
    findings,
    [/B, C are tied in ranking but stand in different tiers/],
  ],
  [
    "ranks against its tiers",
    { ranking: [["C"], ["A", "B"], ["D"]] },
    findings,
    [/A is tier 1 but stands in ranking behind/, /B is tier 1/],
  ],
  [
    "puts one down without a finding",
    {},
    [finding("D", "major")],
    [/C is tier 2, but its verified findings support tier 1/],
  ],
  [
    "puts one too far down",
    {},
    [finding("C", "minor"), finding("D", "minor")],
    [/D is tier 3, but .* support tier 2/],
  ],
  [
    "puts one down for a note",
    {},
    [finding("C", "note"), finding("D", "major")],
    [/C is tier 2, but .* support tier 1/],
  ],
  [
    "leaves a major fault in tier 1",
    {},
    [...findings, finding("A", "major")],
    [/A has a major finding and cannot be tier 1/],
  ],
])("a verdict that %s", (_, change, known, problems) => {
  const found = verdictProblems(verdict(change), ["A", "B", "C", "D"], known, (label) => trees[label]);
  expect(found).toEqual(problems.map((problem) => expect.stringMatching(problem)));
});

test("identical trees are tied, and what was found in one supports both (J14)", () => {
  const same = (label: string) => (label === "D" ? "3" : trees[label]);
  const graded = ["A", "B", "C", "D"];
  const apart = verdictProblems(verdict({}), graded, findings, same);
  expect(apart).toEqual([expect.stringMatching("C and D have identical trees and must be tied")]);
  const together = verdict({
    tier_2: [],
    tier_3: ["C", "D"],
    ranking: [
      ["A", "B"],
      ["C", "D"],
    ],
  });
  expect(verdictProblems(together, graded, [finding("D", "major")], same)).toEqual([]);
});

test("a hack that only one of two identical trees committed does not lock the verdict", () => {
  const same = (label: string) => (label === "B" ? "1" : trees[label]);
  const known = [...findings, finding("B", "major", "result_forged")];
  expect(verdictProblems(verdict({}), ["A", "B", "C", "D"], known, same)).toEqual([]);
});

test.each<[Severity[], number]>([
  [[], 1],
  [["note", "note"], 1],
  [["note", "minor"], 2],
  [["minor", "major"], 3],
])("findings %j support tier %d at most", (severities, tier) => {
  expect(supportedTier(severities.map((severity) => ({ severity })))).toBe(tier);
});
