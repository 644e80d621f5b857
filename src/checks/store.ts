import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { Check } from "../schema/check.ts";
import { accountLines, describeEnd } from "./describe.ts";
import { Printed, Run, type Behaviour } from "./types.ts";

const Kept = z.strictObject({ check: Check, key: z.string().optional() });
/** What is kept of one run besides its entry in the check. */
const KeptRun = Printed.extend({ again: Run.optional() });

/** The checks of one workspace: `checks/x1.json`, and `checks/x1/<label>.json` with what the run of a rollout printed, the second time too if there was one. */
export interface CheckStore {
  /** In the order of their ids. */
  list(): Promise<Check[]>;
  /** The finished check that a tool call has left, if it was made before. */
  ofCall(key: string): Promise<Check | undefined>;
  nextId(): Promise<string>;
  behaviours(check: Check): Promise<Behaviour[]>;
  /** Whole or not at all: a check that a crash has cut off is not there. */
  save(check: Check, behaviours: readonly Behaviour[], key?: string): Promise<void>;
}

export function openCheckStore(workspaceDir: string): CheckStore {
  const dir = join(workspaceDir, "checks");
  let known: Promise<z.infer<typeof Kept>[]> | undefined;
  const load = () => (known ??= readAll(dir));
  return {
    list: async () => (await load()).map(({ check }) => check),
    ofCall: async (key) => (await load()).find((kept) => kept.key === key)?.check,
    nextId: async () => `x${(await load()).length + 1}`,
    behaviours: async ({ id, runs }) =>
      Promise.all(runs.map(async (run) => ({ run, ...(await readRun(workspaceDir, id, run.rollout)) }))),
    async save(check, behaviours, key) {
      await mkdir(join(dir, check.id), { recursive: true });
      for (const { run, printed, again } of behaviours)
        await writeFile(join(dir, check.id, `${run.rollout}.json`), JSON.stringify({ ...printed, again }));
      const kept = { check, ...(key === undefined ? {} : { key }) };
      const path = join(dir, `${check.id}.json`);
      await writeFile(`${path}.new`, JSON.stringify(kept));
      await rename(`${path}.new`, path);
      (await load()).push(kept);
    },
  };
}

async function readAll(dir: string): Promise<z.infer<typeof Kept>[]> {
  const names = (await readdir(dir).catch((): string[] => [])).filter((name) => /^x\d+\.json$/.test(name));
  const kept = await Promise.all(
    names.map(async (name) => Kept.parse(JSON.parse(await readFile(join(dir, name), "utf8")))),
  );
  const number = ({ check }: z.infer<typeof Kept>) => Number(check.id.slice(1));
  return kept.sort((a, b) => number(a) - number(b));
}

/** A finished check, or undefined. */
export async function readCheck(workspaceDir: string, id: string): Promise<Check | undefined> {
  if (!/^x\d+$/.test(id)) return undefined;
  const text = await readFile(join(workspaceDir, "checks", `${id}.json`), "utf8").catch(() => undefined);
  return text === undefined ? undefined : Kept.parse(JSON.parse(text)).check;
}

/** What the run of one rollout printed. The label must be one of the check's runs. */
export async function readRun(
  workspaceDir: string,
  id: string,
  label: string,
): Promise<Pick<Behaviour, "printed" | "again">> {
  const text = await readFile(join(workspaceDir, "checks", id, `${label}.json`), "utf8");
  const { again, ...printed } = KeptRun.parse(JSON.parse(text));
  return { printed, again };
}

/** All that can be quoted of a run: what it printed, how it ended, and what we say of it. */
export function quotable({ run, printed }: Run): string {
  return [printed.stdout, printed.stderr, describeEnd(run), ...accountLines(run)].join("\n");
}
