import { createHash } from "node:crypto";

/**
 * Gives every rollout a blind label (A, B, ... Z, AA, ...) in a shuffle that depends on the seed, the group and the ids
 * but not on the order in which the rollouts came. Real ids, which may tell the policy or the pass order, stay outside.
 */
export function blindLabels(groupId: string, ids: readonly string[], seed: number): Map<string, string> {
  const key = (id: string) =>
    createHash("sha256")
      .update(JSON.stringify([seed, groupId, id]))
      .digest("hex");
  const shuffled = ids.map((id) => ({ id, key: key(id) })).sort((a, b) => (a.key < b.key ? -1 : 1));
  return new Map(shuffled.map(({ id }, index) => [id, label(index)]));
}

/** 0 is A, 25 is Z, 26 is AA. */
function label(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : label(Math.floor(index / 26) - 1) + letter;
}

/** A before B, Z before AA. */
export function compareLabels(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : Number(a > b);
}
