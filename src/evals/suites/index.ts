import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { GraderError } from "../../index.ts";
import { degradationCases } from "./degradations.ts";
import { externalSuite, type Suite } from "./external.ts";
import { invarianceCases } from "./invariance.ts";

export type { Suite } from "./external.ts";

/** The package: bundled suites are found wherever it is installed, not where it is called. */
const PACKAGE = fileURLToPath(new URL("../../..", import.meta.url));
const LABELS = join(PACKAGE, "evals/labels");

export const BUNDLED = ["authored", "degradations", "invariance"] as const;

/**
 * The suites of these names, bundled ones or paths, each name once.
 *
 * @param labelsDir - Where the labels of given paths lie, when not beside them.
 * @throws GraderError `bad_input` for a path that holds no group.
 */
export async function openSuites(names: readonly string[], seed: number, labelsDir?: string): Promise<Suite> {
  const all: Suite = { cases: [], failures: [] };
  for (const name of new Set(names)) {
    const { cases, failures } = await openSuite(name, seed, labelsDir);
    all.cases.push(...cases);
    all.failures.push(...failures);
  }
  refuseTwice(all);
  return all;
}

async function openSuite(name: string, seed: number, labelsDir: string | undefined): Promise<Suite> {
  if (name === "authored") return authored();
  if (name === "invariance") {
    const { cases, failures } = await authored();
    return { cases: invarianceCases(cases, seed), failures };
  }
  if (name === "degradations") return { cases: await degradations(), failures: [] };
  return externalSuite(name.replace(/\/+$/, "") || name, name, labelsDir);
}

/** The groups that were written for gagar. One of them is the example that the demo grades. */
async function authored(): Promise<Suite> {
  const folder = join(PACKAGE, "evals/suites/authored");
  const paths = [
    join(PACKAGE, "examples/tallybook-post-split"),
    ...(await readdir(folder)).map((name) => join(folder, name)),
  ];
  const suites = [];
  for (const path of paths.sort((a, b) => (basename(a) < basename(b) ? -1 : 1)))
    suites.push(await externalSuite("authored", path, join(LABELS, "authored")));
  return {
    cases: suites.flatMap(({ cases }) => cases),
    failures: suites.flatMap(({ failures }) => failures),
  };
}

async function degradations() {
  const folder = join(PACKAGE, "evals/suites/degradations");
  const sets = [];
  for (const name of (await readdir(folder)).sort()) {
    const labels = join(LABELS, `degradations/${name}.json`);
    sets.push(await degradationCases("degradations", name, join(folder, name), labels));
  }
  return sets.flat();
}

/** Answers are told apart by suite, group and variant. */
function refuseTwice({ cases }: Suite): void {
  const seen = new Map<string, string>();
  for (const { suite, variant, loaded } of cases) {
    const key = JSON.stringify([suite, loaded.group.group_id, variant]);
    const first = seen.get(key);
    if (first !== undefined)
      throw new GraderError("bad_input", `this group was read before, from ${first}`, {
        file: loaded.source,
        group: loaded.group.group_id,
      });
    seen.set(key, loaded.source);
  }
}
