import { readFile } from "node:fs/promises";
import { GraderError, type Warning } from "../../errors.ts";
import type { Group, Rollout } from "../../schema/group.ts";
import { withGivenTests } from "../given-tests.ts";
import type { LoadedGroup, LoadFailure, PartialGroup } from "../loaded.ts";
import type { Warn } from "../notes.ts";
import type { Outcomes } from "../outcomes.ts";
import { readTrajectory } from "../records.ts";
import type { ResultVerdict } from "../results/index.ts";
import { decodeText } from "../unicode.ts";
import type { Attempt } from "./piece.ts";
import { buildRollout, type TaskFacts } from "./rollout.ts";
import type { FoundRepo, Supply } from "./supply.ts";

/** Most rollouts that one group may have; the schema says the same. */
const MAX_ROLLOUTS = 1024;

/** What is known beside the attempts. */
interface Around {
  root: string;
  supply: Supply;
  /** Applied later; what they name is not missing. */
  outcomes: Outcomes | undefined;
  warnings: readonly Warning[];
}

/**
 * The group of one instance. What runs lack and nobody supplied is told in one warning that names the options; without
 * a repository the group is a failure that holds what could be read.
 */
export async function toGroup(
  instance: string,
  attempts: readonly Attempt[],
  { root, supply, outcomes, warnings }: Around,
): Promise<LoadedGroup | LoadFailure> {
  const all = [...warnings];
  const warn: Warn = (warning) => void all.push({ ...warning, where: { group: instance, ...warning.where } });
  const verdicts = new Map<string, ResultVerdict[]>();
  const rollouts: Rollout[] = [];
  const facts: TaskFacts = {};
  for (const attempt of attempts.slice(0, MAX_ROLLOUTS)) {
    const built = await buildRollout({ ...attempt, id: freeId(attempt.id, verdicts) }, root, warn);
    verdicts.set(built.rollout.id, built.verdicts);
    rollouts.push(built.rollout);
    for (const key of ["statement", "repository", "commit"] as const)
      if (facts[key] === undefined && built.facts[key] !== undefined) facts[key] = built.facts[key];
  }
  if (attempts.length > MAX_ROLLOUTS)
    warn({
      code: "too_many_rollouts",
      message: `${attempts.length} rollouts; the first ${MAX_ROLLOUTS} are read`,
      where: {},
    });

  const source = sourceOf(attempts, root);
  const statement = await statementOf(instance, attempts, { root, supply, rollouts, facts });
  const group: PartialGroup["group"] = {
    group_id: instance,
    task: { id: instance, statement: statement.text },
    rollouts,
  };
  const unknown = rollouts
    .filter(({ id, passed }) => passed === null && outcomes?.of(id, instance) === undefined)
    .map(({ id }) => id);
  const lacks = [
    ...(statement.from === "nothing" ? ["no task statement (--task-map)"] : []),
    ...(statement.from === "trajectory" ? ["the task is what a trajectory begins with (--task-map)"] : []),
    ...(supply.tests === undefined ? ["no test command (--test-command)"] : []),
    ...(unknown.length > 0 ? [`no outcome of ${listed(unknown)} (--outcomes, --passed)`] : []),
  ];
  if (lacks.length > 0) warn({ code: "run_incomplete", message: lacks.join("; "), where: {} });

  const partial: PartialGroup = withGivenTests(
    { group, root, source, warnings: all, verdicts },
    supply.tests,
  );
  let found: FoundRepo | undefined;
  try {
    found = await supply.repo(instance, facts.commit);
  } catch (error) {
    if (error instanceof GraderError) return { error, source, partial };
    throw error;
  }
  if (found === undefined) return { error: noRepository(instance, facts, source), source, partial };
  const whole: Group = { ...partial.group, repo: found.repo };
  return { ...partial, group: whole, roots: { ...partial.roots, repo: found.root } };
}

function noRepository(instance: string, { repository, commit }: TaskFacts, file: string): GraderError {
  const named = [repository, commit].filter((fact) => fact !== undefined).join(" ");
  const known = named === "" ? "" : `; the run names ${named}`;
  return new GraderError("bad_input", `no repository: give --repo or --repo-map${known}`, {
    file,
    group: instance,
    field: "repo",
  });
}

async function statementOf(
  instance: string,
  attempts: readonly Attempt[],
  {
    root,
    supply,
    rollouts,
    facts,
  }: { root: string; supply: Supply; rollouts: readonly Rollout[]; facts: TaskFacts },
): Promise<{ text: string; from: "given" | "trajectory" | "nothing" }> {
  const given = (await supply.statement(instance)) ?? facts.statement;
  if (given !== undefined) return { text: given, from: "given" };
  for (const { part } of attempts.flatMap(({ pieces }) => pieces))
    if (part.kind === "statement") return { text: decodeText(await readFile(part.path)).text, from: "given" };
  for (const rollout of rollouts) {
    // What is wrong with a trajectory is told when it is read for itself.
    const trajectory = await readTrajectory(rollout, root, () => undefined);
    const task = trajectory?.events.filter(({ role, kind }) => role === "task" && kind === "text") ?? [];
    if (task.length > 0) return { text: task.map(({ text }) => text).join("\n\n"), from: "trajectory" };
  }
  return { text: "", from: "nothing" };
}

function sourceOf(attempts: readonly Attempt[], root: string): string {
  const sources = new Set(attempts.flatMap(({ pieces }) => pieces[0]?.source ?? []));
  const [first = root] = sources;
  return sources.size > 1 ? `${first} and ${sources.size - 1} more` : first;
}

/** Two inputs may have one name. */
function freeId(id: string, taken: ReadonlyMap<string, unknown>): string {
  for (let n = 2, free = id; ; n++) {
    if (!taken.has(free)) return free;
    free = `${id}~${n}`;
  }
}

function listed(ids: readonly string[]): string {
  return ids.length > 8 ? `${ids.length} rollouts` : ids.join(", ");
}
