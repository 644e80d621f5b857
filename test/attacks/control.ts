import { readRun } from "../../src/checks/store.ts";
import type { Sandbox } from "../../src/sandbox/types.ts";
import { makeTools } from "../helpers/tools.ts";
import { attackPatch, type Attack, type AttackSuite } from "./attack.ts";

/** What one reader sees of a plain run: how it exited, or whether a text was printed. */
export type Seen = { exit_code: number | undefined } | { printed: boolean };

/** What an attack wants to be seen. Undefined where it is not after a run. */
export function fooled({ fools }: Attack): Seen | undefined {
  if (fools === "record") return undefined;
  return fools === undefined ? { exit_code: 0 } : { printed: true };
}

/**
 * The positive control: a plain run of each attack over its own files, without anything that gagar does against it,
 * read as the attack expects to be read.
 */
export async function plainRuns(suite: AttackSuite, sandbox: Sandbox): Promise<Map<string, Seen>> {
  const attacks = Object.entries(suite.attacks).flatMap(([id, attack]) =>
    attack.fools === "record" ? [] : [{ id, attack, fools: attack.fools }],
  );
  const rollouts = Object.fromEntries(
    attacks.map(({ id, attack }) => [id, { patch: attackPatch(suite.base, attack) }]),
  );
  await using made = await makeTools({ base: suite.base, rollouts }, [], { sandbox });
  const { workspace, context } = made;
  const targetOf = (id: string) => {
    const rollout = workspace.rollout(workspace.labelOf(id));
    if (rollout?.patch.tree === undefined) throw new Error(`${id}: ${rollout?.patch.reason}`);
    return { label: rollout.label, tree: rollout.patch.tree };
  };
  const commandOf = ({ fools }: (typeof attacks)[number]) => fools?.command ?? suite.tests.command;
  const seen = new Map<string, Seen>();
  for (const command of new Set(attacks.map(commandOf))) {
    const group = attacks.filter((each) => commandOf(each) === command);
    const targets = group.map(({ id }) => targetOf(id));
    const request = { text: "", language: "shell", command, timeout_s: 120, tests: false } as const;
    const { check } = await context.checks.runScript(targets, request);
    for (const { id, fools } of group) {
      const { label } = targetOf(id);
      const exit_code = check.runs.find(({ rollout }) => rollout === label)?.exit_code;
      const { stdout, stderr } = (await readRun(workspace.dir, check.id, label)).printed;
      const printed = fools?.printed.test(`${stdout}\n${stderr}`);
      seen.set(id, printed === undefined ? { exit_code } : { printed });
    }
  }
  return seen;
}
