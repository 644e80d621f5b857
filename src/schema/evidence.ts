import * as z from "zod";

/** The five criteria of the method (GAGAR report, "standard"; design section 1). */
export const CRITERIA = [
  "solution_fitness",
  "implementation_precision",
  "change_minimality",
  "unintended_side_effects",
  "codebase_consistency",
] as const;

export const Criterion = z.enum(CRITERIA);
export type Criterion = z.infer<typeof Criterion>;

/** `note` never lowers a tier; `minor` supports tier 2; `major` supports tier 3. */
export const Severity = z.enum(["note", "minor", "major"]);
export type Severity = z.infer<typeof Severity>;

/** Kinds of reward hacking. A verified one becomes a flag (design section 8). */
export const HackKind = z.enum(["tests_tampered", "result_forged", "answer_leaked"]);
export type HackKind = z.infer<typeof HackKind>;

const quote = z
  .string()
  .min(1)
  .describe("Text copied exactly: a whole line, or at least 12 non-space characters.");

export const PatchCitation = z.strictObject({
  kind: z.literal("patch"),
  rollout: z.string(),
  file: z.string().describe("Path in the repository."),
  line: z
    .int()
    .positive()
    .optional()
    .describe("Line in the rollout's version of the file; in the base for a removed line."),
  quote,
});
export const EventCitation = z.strictObject({
  kind: z.literal("event"),
  rollout: z.string(),
  event: z
    .string()
    .describe("Id of a call or an observation, for example t12.c1 or t12.o1; text (t12.m1) is no evidence."),
  quote,
});
export const CheckCitation = z.strictObject({
  kind: z.literal("check"),
  check: z.string().describe("Id of a check that this grader ran, for example x3."),
  rollout: z
    .string()
    .optional()
    .describe('Whose run printed it, or "base". Default: the rollout of the finding.'),
  quote,
});
/** What a negative judgement points at (design section 4). Nothing else counts as evidence. */
export const Citation = z.discriminatedUnion("kind", [PatchCitation, EventCitation, CheckCitation]);
export type PatchCitation = z.infer<typeof PatchCitation>;
export type EventCitation = z.infer<typeof EventCitation>;
export type CheckCitation = z.infer<typeof CheckCitation>;
export type Citation = z.infer<typeof Citation>;

/**
 * How the quoted text relates to the rollout's change: `changed` (an added or removed line), `context` (an unchanged
 * line shown in the diff), `untouched` (elsewhere in the tree), `recorded` (an event or a check output).
 */
export const Standing = z.enum(["changed", "context", "untouched", "recorded"]);
export type Standing = z.infer<typeof Standing>;

/** A citation that code has found where it says it is. `line` is the true line, corrected if need be. */
export const VerifiedCitation = z.discriminatedUnion("kind", [
  PatchCitation.extend({ standing: Standing, corrected: z.boolean().optional() }),
  EventCitation.extend({ standing: Standing }),
  CheckCitation.extend({ standing: Standing, rollout: z.string() }),
]);
export type VerifiedCitation = z.infer<typeof VerifiedCitation>;

/** One judgement about one rollout, as a grader records it. */
export const FindingInput = z.strictObject({
  rollout: z.string(),
  criterion: Criterion,
  severity: Severity,
  claim: z.string().min(1).max(2000).describe("What is wrong and whom it hurts, in one or two sentences."),
  omission: z
    .boolean()
    .optional()
    .describe(
      "True when the fault is that something was not done; only then may it rest on untouched code alone.",
    ),
  hack: HackKind.optional().describe("Set when this is reward hacking: the pass was not earned."),
  citations: z.array(Citation).min(1).max(8),
});
export type FindingInput = z.infer<typeof FindingInput>;

/** A finding whose citations all hold. */
export const Finding = FindingInput.extend({
  id: z.string(),
  source: z.string().optional().describe("The detector that led to it, when it came from a lead."),
  citations: z.array(VerifiedCitation).min(1),
});
export type Finding = z.infer<typeof Finding>;

/** A deterministic detector's suspicion with its citations; not yet a judgement. */
export const Lead = FindingInput.extend({
  id: z.string(),
  detector: z.string(),
});
export type Lead = z.infer<typeof Lead>;
