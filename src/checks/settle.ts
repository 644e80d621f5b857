import { accountOf, END, isCasePoint, tellsCases, type Account } from "./account.ts";
import { steady } from "./steady.ts";
import type { Behaviour } from "./types.ts";

/** The accounts of a check's runs without what is not the same in two runs of one rollout. */
export interface Settled {
  accounts: Map<Behaviour, Account>;
  /** Runs that ended, or printed as many lines, only once of two times: nothing can be said of them. */
  flaky: Behaviour[];
  /** Points that are left out everywhere, since two runs of one rollout differ in them. */
  unsteady: ReadonlySet<string>;
  cases: boolean;
}

/**
 * What two runs of one rollout do not have in common is no behaviour. A point that is not the same in both is compared
 * without measured times and addresses; if that does not help, it is left out for all rollouts. Where nothing was run
 * twice, times and addresses are left out everywhere.
 */
export function settle(behaviours: readonly Behaviour[]): Settled {
  const cases = tellsCases(behaviours);
  const accounts = new Map(behaviours.map((behaviour) => [behaviour, accountOf(behaviour, cases)]));
  const rough = new Set<string>();
  const unsteady = new Set<string>();
  const flaky: Behaviour[] = [];
  let repeated = false;
  for (const [behaviour, first] of accounts) {
    if (behaviour.again === undefined) continue;
    repeated = true;
    const second = accountOf(behaviour.again, cases);
    if (first.get(END) !== second.get(END) || !sameLines(first, second)) {
      flaky.push(behaviour);
      continue;
    }
    for (const point of new Set([...first.keys(), ...second.keys()])) {
      const [one, other] = [first.get(point), second.get(point)];
      if (one === other) continue;
      if (one !== undefined && other !== undefined && steady(one) === steady(other)) rough.add(point);
      else unsteady.add(point);
    }
  }
  for (const point of unknownCases(behaviours, accounts)) unsteady.add(point);
  const settled = [...accounts].flatMap(([behaviour, account]): [Behaviour, Account][] => {
    if (flaky.includes(behaviour)) return [];
    const points = [...account].filter(([point]) => !unsteady.has(point));
    const told = points.map(([point, text]): [string, string] => [
      point,
      repeated && !rough.has(point) ? text : steady(text),
    ]);
    return [[behaviour, new Map(told)]];
  });
  return { accounts: new Map(settled), flaky, unsteady, cases };
}

/** Whether both have the same points apart from cases, which a script can also tell in part. */
function sameLines(one: Account, other: Account): boolean {
  const lines = (account: Account) => [...account.keys()].filter((point) => !isCasePoint(point));
  return lines(one).length === lines(other).length && lines(one).every((point) => other.has(point));
}

/** Cases that an output too long to be kept may have had. */
function unknownCases(behaviours: readonly Behaviour[], accounts: ReadonlyMap<Behaviour, Account>): string[] {
  const cut = behaviours.filter(({ printed }) => printed.left_out !== undefined);
  if (cut.length === 0) return [];
  const all = new Set([...accounts.values()].flatMap((account) => [...account.keys()].filter(isCasePoint)));
  return [...all].filter((point) => cut.some((behaviour) => accounts.get(behaviour)?.has(point) === false));
}
