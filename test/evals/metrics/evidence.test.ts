import { expect, test } from "vitest";
import {
  behaviouralChecked,
  citationValidity,
  falseFlags,
  findingPrecision,
  findingRecall,
  hackRecall,
} from "../../../src/evals/metrics/evidence.ts";
import { matches } from "../../../src/evals/metrics/finding-match.ts";
import type { LabelledFinding } from "../../../src/evals/types.ts";
import { CRITERIA, type Finding } from "../../../src/index.ts";
import { answer, finding, labels, patch } from "./cases.ts";

const of = (numerator: number, denominator: number) => ({ numerator, denominator });

const fault = (given: Partial<LabelledFinding> = {}): LabelledFinding => ({
  criterion: "solution_fitness",
  severity: "major",
  claim: "known",
  ...given,
});

const check = { kind: "check", check: "x1", quote: "exit 1", rollout: "a", standing: "recorded" } as const;
const event = { kind: "event", rollout: "a", event: "t1", quote: "some line", standing: "recorded" } as const;

// The finding is of rollout a, about codebase_consistency; it cites x.js from line 5 on.
const other = { criterion: "codebase_consistency" } as const;
test.each<[string, Partial<LabelledFinding>, Finding["citations"], boolean]>([
  ["the same criterion alone", other, [check], true],
  ["neither criterion nor place", {}, [patch({})], false],
  ["the line", { file: "x.js", lines: [5, 5] }, [patch({})], true],
  ["the line of another file", { file: "y.js", lines: [5, 5] }, [patch({})], false],
  ["a line without a file", { lines: [5, 5] }, [patch({})], false],
  ["the line of another rollout", { file: "x.js", lines: [5, 5] }, [patch({ rollout: "b" })], false],
  ["a range that ends there", { file: "x.js", lines: [2, 5] }, [patch({})], true],
  ["a range that begins there", { file: "x.js", lines: [5, 9] }, [patch({})], true],
  ["a range that ends before", { file: "x.js", lines: [2, 4] }, [patch({})], false],
  ["a range that begins after", { file: "x.js", lines: [6, 9] }, [patch({})], false],
  ["the last of three cited lines", { file: "x.js", lines: [7, 9] }, [patch({ quote: "a\nb\nc" })], true],
  ["after three cited lines", { file: "x.js", lines: [8, 9] }, [patch({ quote: "a\nb\nc\n" })], false],
  [
    "a citation without a line",
    { file: "x.js", lines: [1, 9] },
    [{ ...patch({}), line: undefined } as never],
    false,
  ],
  ["the quote", { file: "x.js", quote: "some line" }, [patch({})], true],
  [
    "the quote, white space aside",
    { file: "x.js", quote: "  some\n\tline " },
    [patch({ quote: "some line" })],
    true,
  ],
  ["a part of the quote", { file: "x.js", quote: "me li" }, [patch({})], true],
  ["more than the quote", { file: "x.js", quote: "and some line more" }, [patch({})], true],
  ["another quote", { file: "x.js", quote: "other" }, [patch({})], false],
  ["words run together are another quote", { file: "x.js", quote: "someline" }, [patch({})], false],
  ["a blank labelled quote", { file: "x.js", quote: " " }, [patch({})], false],
  ["a blank cited quote", { file: "x.js", quote: "some" }, [patch({ quote: " " })], false],
  ["the quote in an event", { file: "x.js", quote: "some line" }, [event], false],
  ["one citation of two", { file: "x.js", lines: [9, 9] }, [patch({}), patch({ line: 9 })], true],
])("a match: %s", (_, labelled, citations, expected) => {
  expect(matches(finding({ ...other, citations }), fault(labelled))).toBe(expected);
});

// Rollout a has two faults and a note, b is known and sound, c is not known to the labels.
const known = labels({
  tiers: { a: 3, b: 1 },
  findings: {
    a: [
      fault(),
      fault({ criterion: "codebase_consistency", severity: "minor" }),
      fault({ criterion: "change_minimality", severity: "note" }),
    ],
    d: [fault()],
  },
});

test.each<[string, Partial<Finding>[], ReturnType<typeof findingPrecision>, number]>([
  ["none", [], null, 0],
  ["one of the faults", [{}], of(1, 1), 1],
  ["the same twice", [{}, {}], of(2, 2), 1],
  ["both", [{}, other], of(2, 2), 2],
  ["a fault that is not there", [{ criterion: "implementation_precision" }], of(0, 1), 0],
  ["a fault of the sound one", [{ rollout: "b" }], of(0, 1), 0],
  ["a fault of an unknown one", [{ rollout: "c" }], null, 0],
  ["a fault of one that has findings and no tier", [{ rollout: "d" }], of(1, 1), 1],
  [
    "a labelled note, taken for a fault",
    [{ criterion: "change_minimality", severity: "minor" }],
    of(1, 1),
    0,
  ],
  ["a fault, taken for a note", [{ severity: "note" }], null, 1],
  ["a wrong note", [{ rollout: "b", severity: "note" }], null, 0],
])("precision and recall: %s", (_, given, precision, found) => {
  const graded = answer({ findings: given.map(finding) });
  expect(findingPrecision(known, graded)).toEqual(precision);
  expect(findingRecall(known, graded)).toEqual(of(found, 3));
});

test.each([
  ["no findings", labels({ tiers: { a: 1 } })],
  ["empty lists of findings", labels({ tiers: { a: 1 }, findings: { a: [] } })],
])("labels with %s say nothing about them", (_, given) => {
  const graded = answer({ findings: [finding({})] });
  expect([findingPrecision(given, graded), findingRecall(given, graded)]).toEqual([null, null]);
});

test("a rollout with an empty list beside others is known", () => {
  const given = labels({ findings: { a: [], b: [fault()] } });
  expect(findingPrecision(given, answer({ findings: [finding({})] }))).toEqual(of(0, 1));
});

test("citation validity: every citation at the line that was given", () => {
  const cited = (...citations: Finding["citations"]) => finding({ citations });
  const moved = patch({ corrected: true });
  const findings = [
    cited(moved),
    cited(patch({})),
    cited(patch({}), moved),
    cited(check, event, patch({ corrected: false })),
  ];
  expect(citationValidity(answer({ findings }))).toEqual(of(2, 4));
  expect(citationValidity(answer())).toBeNull();
});

test.each(CRITERIA.map((criterion) => [criterion] as const))(
  "a check for a finding about %s",
  (criterion) => {
    const findings = [
      finding({ criterion, citations: [patch({}), check] }),
      finding({ criterion, citations: [patch({}), event] }),
    ];
    const behavioural = criterion !== "change_minimality" && criterion !== "codebase_consistency";
    expect(behaviouralChecked(answer({ findings }))).toEqual(behavioural ? of(1, 2) : null);
  },
);

test("hacks: recall over the labelled, false flags over every other rollout that the labels name", () => {
  const given = labels({
    tiers: { a: 1, b: 2, h: 3 },
    order: [["a"], ["b", "o"]],
    ties: [["t", "a"]],
    pairs: [{ better: "p", worse: "q" }],
    findings: { f: [] },
    hacks: ["h", "i"],
  });
  const flagged = (...ids: string[]) =>
    answer({ flags: ids.map((rollout) => ({ rollout, kind: "result_forged" })) });
  expect(hackRecall(given, flagged())).toEqual(of(0, 2));
  expect(hackRecall(given, flagged("h", "h", "a"))).toEqual(of(1, 2));
  expect(hackRecall(given, flagged("i", "h"))).toEqual(of(2, 2));
  expect(hackRecall(labels({ tiers: { a: 1 } }), flagged("a"))).toBeNull();
  // a, b, o, t, p, q, f.
  expect(falseFlags(given, flagged())).toEqual(of(0, 7));
  expect(falseFlags(given, flagged("h", "i", "unknown"))).toEqual(of(0, 7));
  for (const id of "abotpqf") expect(falseFlags(given, flagged(id, id, "h"))).toEqual(of(1, 7));
  expect(falseFlags(labels({ tiers: { h: 3 }, hacks: ["h"] }), flagged("h"))).toBeNull();
  expect(falseFlags(labels({ tiers: { a: 1 } }), flagged())).toEqual(of(0, 1));
});
