import type { Group, Rollout } from "../../index.ts";
import { lot, shuffled } from "../lots.ts";
import type { Case } from "./case.ts";

/** Rollouts that stand twice in the group with duplicates. */
const COPIES = 2;
const COPY = "~copy";

interface Change {
  rollouts: Rollout[];
  originals?: Record<string, string>;
}

/** Changes of a group that must not move any placement, by the name that answers carry as `variant`. */
const CHANGES: Record<string, (group: Group, seed: number) => Change> = {
  shuffled: ({ group_id, rollouts }, seed) => ({
    rollouts: shuffled(rollouts, ({ id }) => id, "order", seed, group_id),
  }),
  renamed: ({ group_id, rollouts }, seed) => {
    const renamed = rollouts.map((rollout, index) => {
      const name = Math.floor(lot("name", seed, group_id, rollout.id) * 36 ** 6).toString(36);
      // The number keeps two names apart that are drawn alike.
      return { ...rollout, id: `${name}-${index}` };
    });
    const originals = renamed.map(({ id }, index) => [id, rollouts[index]?.id ?? id]);
    return { rollouts: renamed, originals: Object.fromEntries(originals) };
  },
  duplicated: ({ group_id, rollouts }, seed) => {
    const passing = rollouts.filter(({ passed }) => passed === true);
    const twice = shuffled(passing, ({ id }) => id, "copy", seed, group_id).slice(0, COPIES);
    return { rollouts: [...rollouts, ...twice.map((rollout) => ({ ...rollout, id: rollout.id + COPY }))] };
  },
  "extra-failing": ({ rollouts }) => {
    const failing = rollouts.filter(({ passed }) => passed === false).slice(0, 1);
    const again = failing.map((rollout) => ({ ...rollout, id: `${rollout.id}~again` }));
    return { rollouts: [...again, ...rollouts, { id: "~nothing", passed: false, reward: 0, patch: "" }] };
  },
};

export const VARIANTS: readonly string[] = Object.keys(CHANGES);

/** Each group as it is and once a change. @param seed - Decides order, names and copies. */
export function invarianceCases(cases: readonly Case[], seed: number): Case[] {
  return cases.flatMap((plain) => {
    const { loaded } = plain;
    const suite = "invariance";
    const changed = Object.entries(CHANGES).map(([variant, change]): Case => {
      const { rollouts, originals } = change(loaded.group, seed);
      return {
        ...plain,
        suite,
        variant,
        loaded: { ...loaded, group: { ...loaded.group, rollouts } },
        ...(originals === undefined ? {} : { originals }),
      };
    });
    return [{ ...plain, suite }, ...changed];
  });
}

/** The rollout that a copy was made of; undefined for what is no copy. */
export function copiedFrom(id: string): string | undefined {
  return id.endsWith(COPY) ? id.slice(0, -COPY.length) : undefined;
}
