// Offline grading of a real repository (1,905 files), beside the usual way: a checkout for every rollout.
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { watch } from "./process-tree.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const GROUP = "groups/sympy__sympy-21847";
const shared = [process.env.GAGAR_SHARED_DATA ?? "", here("../../shared/data")].find(
  (path) => path !== "" && existsSync(join(path, GROUP)),
);

/** What a grader has to do at the very least when it works on checkouts: unpack, one tree a rollout, one diff a rollout. */
const CHECKOUTS = `
set -e
tar -xzf "$1/repo.tar.gz" -C "$2"
cd "$2/repo"
git init -q . && git add -Af . && git -c user.name=b -c user.email=b@b commit -qm base
for patch in "$1"/rollouts/*/patch.diff; do
  tree="$2/$(basename "$(dirname "$patch")")"
  git worktree add -q --detach "$tree" HEAD
  git -C "$tree" apply --index "$patch"
  git -C "$tree" diff --cached > /dev/null
done
`;

export async function benchOffline() {
  if (shared === undefined) {
    console.log(`offline: NOT RUN, ${GROUP} of the third-party data is not here`);
    return true;
  }
  const group = join(shared, GROUP);
  const work = mkdtempSync(join(tmpdir(), "gagar-bench-"));
  const rollouts = readdirSync(join(group, "rollouts")).length;
  const grade = (cache) =>
    watch(process.execPath, [
      here("../dist/cli/main.js"),
      "grade",
      group,
      "--outcomes",
      join(group, "labels/outcomes.json"),
      "--json",
      "--quiet",
      "--cache",
      join(work, cache),
    ]);
  try {
    const baseline = await watch("/bin/sh", ["-c", CHECKOUTS, "sh", group, work]);
    const cold = await grade("cache");
    const warm = await grade("cache");
    if ([baseline, cold, warm].some(({ status }) => status !== 0)) throw new Error("a run failed");
    const row = (name, run) =>
      console.log(
        `offline: ${name.padEnd(34)} ${run.seconds.toFixed(2).padStart(6)} s ${run.peakMb.toFixed(0).padStart(5)} MB ` +
          `${(run.seconds / baseline.seconds).toFixed(2).padStart(6)} x checkouts`,
      );
    row(`baseline: ${rollouts} checkouts, apply, diff`, baseline);
    row("gagar grade, first time", cold);
    row("gagar grade, base in the cache", warm);
    const peak = Math.max(cold.peakMb, warm.peakMb);
    console.log(`offline: limits 10 s and 400 MB: ${cold.seconds <= 10 && peak <= 400 ? "kept" : "BROKEN"}`);
    return cold.seconds <= 10 && peak <= 400;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit((await benchOffline()) ? 0 : 1);
