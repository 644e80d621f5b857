// Redistribution: the arithmetic beside a loop that only copies (processor time), and the whole `gagar redistribute`
// process beside a filter that only parses and re-serialises the same JSONL line by line (wall time).
// Run after `npm run build`; alone, it exits with 1 when a limit is broken.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv, execPath, exit } from "node:process";
import { fileURLToPath } from "node:url";
import { redistribute, redistributionConfig } from "../dist/redistribute/index.js";
import { best, processorTime, takeTurns, wallTime } from "./timing.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** One update of the published mixed-task training. */
const GROUPS = 1568;
const ROLLOUTS = 16;
const LIMIT_MS = 10;
const LIMIT_RATIO = 3;

/** Half of the rollouts pass; tiers, ranks and tokens are spread evenly. The same groups every time. */
function makeGroups() {
  let state = 1;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  return Array.from({ length: GROUPS }, (_, index) => {
    const passed = Array.from({ length: ROLLOUTS }, () => next() < 0.5);
    const rate = passed.filter(Boolean).length / ROLLOUTS;
    const ranks = { 1: 0, 2: 0, 3: 0 };
    return {
      group_id: `task-${index}`,
      rollouts: passed.map((pass, i) => {
        const tier = 1 + Math.floor(next() * 3);
        const rollout = {
          id: `task-${index}-${i}`,
          passed: pass,
          reward: Number(pass),
          advantage: pass ? 1 - rate : -rate,
        };
        const tokens = 1000 + Math.floor(next() * 90_000);
        return pass ? { ...rollout, tokens, tier, rank: (ranks[tier] += 1) } : { ...rollout, tokens };
      }),
    };
  });
}

function row(name, ms, ratio, limit = "") {
  console.log(
    `redistribute: ${name.padEnd(42)} ${ms.toFixed(2).padStart(8)} ms ${ratio.toFixed(2).padStart(6)} x  ${limit}`.trimEnd(),
  );
}

function benchArithmetic(lines) {
  const config = redistributionConfig();
  const groups = lines.map(({ group_id, rollouts }) => ({
    group_id,
    rollouts: rollouts.map(({ id, passed, advantage, tokens, tier, rank }) => {
      const placement = tier === undefined ? undefined : { tier, rank };
      return { id, passed, advantage, tokens, placement };
    }),
  }));
  const copy = ({ rollouts }) =>
    rollouts.map(({ id, advantage }) => ({ id, advantage_given: advantage, advantage }));
  // The last result is used, so that none can be left out.
  let last;
  const all = (each) => () => {
    for (const group of groups) last = each(group);
  };
  const work = all((group) => redistribute(group, config));
  takeTurns(20, processorTime, all(copy), work);
  const isKept = (times) => times.work < LIMIT_MS;
  const times = best(() => takeTurns(31, processorTime, all(copy), work), isKept);
  if (last?.rollouts?.length !== ROLLOUTS) throw new Error("nothing was computed");
  row("copying the advantages", times.baseline, 1);
  const name = `arithmetic, ${GROUPS} groups x ${ROLLOUTS}`;
  row(name, times.work, times.work / times.baseline, `limit ${LIMIT_MS} ms`);
  return isKept(times);
}

function benchProcess(lines) {
  const dir = mkdtempSync(join(tmpdir(), "gagar-bench-"));
  try {
    const file = join(dir, "groups.jsonl");
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const run =
      (...args) =>
      () => {
        const { status, error } = spawnSync(execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
        if (status !== 0) throw error ?? new Error(`${args[0]} ended with ${status}`);
      };
    const baseline = run(here("redistribute-baseline.mjs"), file);
    const work = run(here("../dist/cli/main.js"), "redistribute", "--quiet", file);
    takeTurns(2, wallTime, baseline, work);
    const isKept = (times) => times.work <= LIMIT_RATIO * times.baseline;
    const times = best(() => takeTurns(15, wallTime, baseline, work), isKept);
    row("filter that parses and re-serialises", times.baseline, 1);
    const ratio = times.work / times.baseline;
    row("process gagar redistribute, same JSONL", times.work, ratio, `limit ${LIMIT_RATIO} x`);
    return isKept(times);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Prints the table. @returns {boolean} whether both limits are kept. */
export function benchRedistribute() {
  const lines = makeGroups();
  const kept = [benchArithmetic(lines), benchProcess(lines)].every(Boolean);
  console.log(`redistribute: limits ${kept ? "kept" : "BROKEN"}`);
  return kept;
}

if (argv[1] === fileURLToPath(import.meta.url)) exit(benchRedistribute() ? 0 : 1);
