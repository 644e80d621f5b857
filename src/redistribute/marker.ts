import { hash } from "node:crypto";
import { GraderError, type Place } from "../errors.ts";
import type { RedistributionConfig } from "./config.ts";
import type { GroupInput, RolloutInput } from "./input.ts";

/** Marks a group's advantages as already redistributed, and says from what. Both are SHA-256 in hexadecimal. */
export interface RedistributionMarker {
  readonly input_hash: string;
  readonly config_hash: string;
}

/** The marker of a group that goes through `redistribute` or `identity` with this configuration. */
export function redistributionMarker(group: GroupInput, config: RedistributionConfig): RedistributionMarker {
  return { input_hash: inputHash(group), config_hash: configHash(config) };
}

/** Hash of everything about a group that the arithmetic reads. A flag that is false and one that is absent are the same. */
export function inputHash({ group_id, rollouts }: GroupInput): string {
  // One flat list, in which each rollout first says what follows: as clear as objects with sorted keys, and far faster.
  const facts: unknown[] = [group_id];
  for (const rollout of rollouts) {
    const { id, passed, advantage, placement, quality, tokens } = rollout;
    facts.push(id, passed, advantage, contents(rollout));
    if (placement !== undefined) facts.push(placement.tier, placement.rank);
    if (quality !== undefined) facts.push(quality);
    if (tokens !== undefined) facts.push(tokens);
  }
  return sha256(JSON.stringify(facts));
}

/** Hash of a whole configuration; defaults and chosen values count alike. */
export function configHash(config: RedistributionConfig): string {
  return sha256(canonicalJson(config));
}

/**
 * Refuses a group that carries the marker: a second redistribution would reshape what is already reshaped.
 *
 * @throws GraderError `already_redistributed`.
 */
export function refuseMarked(group: object, where: Place = {}): void {
  const { redistributed }: { readonly redistributed?: unknown } = group;
  if (redistributed === undefined || redistributed === null) return;
  throw new GraderError(
    "already_redistributed",
    "the advantages were redistributed before; give the trainer's own advantages",
    { ...where, field: "redistributed" },
  );
}

/**
 * JSON with sorted keys and without what is undefined: equal data gives equal text, different data different text.
 *
 * Meant for plain data of finite numbers; -0 and 0 are the same.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
}

/** One bit for each optional fact and each flag that a rollout has. */
function contents({ placement, quality, tokens, masked, ungraded, excluded }: RolloutInput): number {
  return (
    (placement === undefined ? 0 : 1) +
    (quality === undefined ? 0 : 2) +
    (tokens === undefined ? 0 : 4) +
    (masked === true ? 8 : 0) +
    (ungraded === true ? 16 : 0) +
    (excluded === true ? 32 : 0)
  );
}

function sha256(text: string): string {
  return hash("sha256", text, "hex");
}
