import { readPatch } from "../../index.ts";
import { lot } from "../lots.ts";
import { passing, placed, type Grader } from "./grader.ts";
import { placesOf, type Standing } from "./places.ts";

const TIERS = [1, 2, 3] as const;

/** Graders that read nothing, or nearly nothing: what any other has to be better than. */
export const BASELINES: Readonly<Record<string, Grader>> = {
  "smallest-patch": {
    name: "smallest-patch",
    cost: "free",
    quick: true,
    /** All in tier 1, the fewest changed lines first. */
    async grade(loaded) {
      const standings: Record<string, Standing> = {};
      for (const rollout of loaded.group.rollouts) {
        if (rollout.passed !== true) continue;
        const { text } = await readPatch(rollout, loaded.root, () => {});
        const lines = text.split("\n").filter((line) => /^[+-](?![+-]{2})/.test(line)).length;
        standings[rollout.id] = { tier: 1, rank: lines };
      }
      return placed(placesOf(standings));
    },
  },
  /** Tier, order and score by lot: the level of chance for every metric. */
  random: {
    name: "random",
    cost: "free",
    quick: true,
    draws: 20,
    async grade(loaded, { seed }) {
      const standings = passing(loaded).map((id): [string, Standing] => {
        const draw = (what: string) => lot(what, seed, loaded.group.group_id, id);
        const score = draw("score");
        return [id, { tier: TIERS[Math.floor(draw("tier") * 3)] ?? 3, score }];
      });
      return placed(placesOf(Object.fromEntries(standings)));
    },
  },
  /** All tied in tier 1: right about every true tie, and about nothing else. */
  constant: {
    name: "constant",
    cost: "free",
    quick: true,
    grade: async (loaded) =>
      placed(placesOf(Object.fromEntries(passing(loaded).map((id) => [id, { tier: 1 }])))),
  },
};
