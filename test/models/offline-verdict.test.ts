import * as fc from "fast-check";
import { expect, test } from "vitest";
import { placeByFindings, type Recorded } from "../../src/models/offline-verdict.ts";

const row = (rollout: string, same_tree_as: string[] = []) => ({ rollout, same_tree_as });
const finding = (
  rollout: string,
  severity: Recorded["severity"],
  criterion: Recorded["criterion"] = "change_minimality",
  hack = false,
): Recorded => ({ rollout, severity, criterion, hack });

test.each<[string, Recorded[], number]>([
  ["nothing", [], 1],
  ["a note", [finding("A", "note")], 1],
  ["a minor fault", [finding("A", "minor")], 2],
  ["many minor faults", Array.from({ length: 9 }, () => finding("A", "minor")), 2],
  ["a major fault of form", [finding("A", "major", "codebase_consistency")], 2],
  ["a major fault of fitness", [finding("A", "major", "solution_fitness")], 3],
  [
    "major faults under two criteria",
    [finding("A", "major", "codebase_consistency"), finding("A", "major", "change_minimality")],
    3,
  ],
  ["a hack", [finding("A", "major", "implementation_precision", true)], 3],
])("%s puts a rollout in tier %#", (_, findings, tier) => {
  const verdict = placeByFindings([row("A")], findings);
  expect(
    [verdict.tier_1, verdict.tier_2, verdict.tier_3].findIndex((labels) => labels.includes("A")) + 1,
  ).toBe(tier);
});

test("the weight of the findings orders a tier, equal weights are tied, size plays no part", () => {
  const findings = [
    finding("A", "minor"),
    finding("B", "minor"),
    finding("B", "minor"),
    finding("C", "minor"),
  ];
  const { ranking } = placeByFindings(
    ["A", "B", "C", "D"].map((label) => row(label)),
    findings,
  );
  expect(ranking).toEqual([["D"], ["A", "C"], ["B"]]);
});

test("rollouts with one tree share their place, whoever the findings name", () => {
  const rows = [row("A", ["B"]), row("B", ["A"]), row("C")];
  expect(placeByFindings(rows, [finding("B", "major", "solution_fitness")])).toEqual({
    tier_1: ["C"],
    tier_2: [],
    tier_3: ["A", "B"],
    ranking: [["C"], ["A", "B"]],
  });
});

test("law: one more fault never improves a place", () => {
  const severities = fc.constantFrom("minor" as const, "major" as const);
  const findings = fc.array(
    fc.record({
      rollout: fc.constantFrom("A", "B", "C"),
      severity: severities,
      criterion: fc.constantFrom("solution_fitness" as const, "change_minimality" as const),
      hack: fc.boolean(),
    }),
  );
  const rows = ["A", "B", "C"].map((label) => row(label));
  const place = (given: readonly Recorded[]) =>
    placeByFindings(rows, given).ranking.findIndex((tied) => tied.includes("A"));
  const behind = (given: readonly Recorded[]) =>
    placeByFindings(rows, given).ranking.slice(0, place(given)).flat();
  fc.assert(
    fc.property(findings, severities, (given, severity) => {
      const after = behind([...given, finding("A", severity)]);
      for (const label of behind(given)) expect(after).toContain(label);
    }),
  );
});
