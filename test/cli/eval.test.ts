import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Results } from "../../src/evals/results.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { labelledGroup } from "../evals/labelled.ts";

const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

function gagar(args: string[], cwd?: string) {
  const run = spawnSync(process.execPath, [main, "eval", ...args], {
    encoding: "utf8",
    ...(cwd === undefined ? {} : { cwd }),
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"] },
  });
  return { status: run.status, out: run.stdout, err: run.stderr };
}
const QUICK = ["--grader", "constant", "--grader", "smallest-patch"];
const read = (path: string) => JSON.parse(readFileSync(path, "utf8")) as Results;
const withoutSeconds = (text: string) =>
  text.replaceAll(/"seconds": ?(?:[\d.e-]+|\{[^}]*\})|[\d.]+(?= \|\n)/g, "");

test("a module that never answers costs its deadline and nothing else", () => {
  using dir = tempDir();
  const module = join(dir.path, "never.mjs");
  writeFileSync(module, "export default () => new Promise(() => {});");
  const args = ["authored", "--limit", "1", "--grader", module, "--grader", "constant", "--deadline", "1"];
  const { status, out, err } = gagar(args, dir.path);
  expect(status).toBe(1);
  expect(err).toContain("never graded no group");
  expect(err).toMatch(/never authored\/[\w-]+: fallback: budget: the time for one group is over/);
  expect(out).toMatch(/^constant .* 0\.5 /m);
});

test("tables on stdout, progress on stderr, and the same results in files, wherever it is called from", () => {
  using dir = tempDir();
  const { status, out, err } = gagar(["authored", "--grader", "offline", ...QUICK, "--limit", "1"], dir.path);
  expect([status, out.split("\n")[0]]).toEqual([0, "authored: 1 group"]);
  expect(out).toMatch(/^constant .* 0\.5 /m);
  expect(err).toBe("offline authored/inikit-duplicate-keys: graded\n");
  const results = read(join(dir.path, "gagar-eval/results.json"));
  expect(results.graders.map(({ name }) => name)).toEqual(["offline", "constant", "smallest-patch"]);
  expect(results.answers).toHaveLength(3);
  const lines = readFileSync(join(dir.path, "gagar-eval/results.jsonl"), "utf8").trimEnd().split("\n");
  expect(lines.map((line) => String(JSON.parse(line).grader)).toSorted()).toEqual([
    "constant",
    "offline",
    "smallest-patch",
  ]);
  const report = readFileSync(join(dir.path, "gagar-eval/report.md"), "utf8");
  for (const part of [
    "## authored",
    "### smallest-patch against offline, paired over groups",
    "### By group",
    "### Every metric",
    "## What failed",
  ])
    expect(report).toContain(part);
});

test("--json prints results.json and nothing else; two runs differ in seconds alone", () => {
  using dir = tempDir();
  const args = ["authored", ...QUICK, "--json", "-q", "--out"];
  const [first, second] = ["a", "b"].map((name) => gagar([...args, join(dir.path, name)]));
  expect([first?.status, first?.err]).toEqual([0, ""]);
  expect(first?.out).toBe(readFileSync(join(dir.path, "a/results.json"), "utf8"));
  const answers = [first, second].map((run) =>
    withoutSeconds(JSON.stringify(JSON.parse(run?.out ?? "").answers)),
  );
  expect(answers[1]).toBe(answers[0]);
});

test("a group of one's own, with labels inside, and scores made elsewhere", () => {
  using group = labelledGroup();
  const scores = join(group.path, "mine.json");
  const order = { r04: 1, r05: 1, r07: 0.7, r02: 0.6, r01: 0.3, r09: 0.3, r06: 0 };
  writeFileSync(scores, JSON.stringify({ "tagwire-filter-args": order }));
  const run = (...more: string[]) =>
    gagar([group.group, "--grader", scores, "-q", "--out", join(group.path, "out"), "--json", ...more]);
  const { status, out } = run();
  const [summary] = (JSON.parse(out) as Results).suites[0]?.summaries ?? [];
  expect([status, summary?.grader, summary?.metrics.cross_tier_accuracy.value]).toEqual([0, "mine", 1]);
  expect(summary?.metrics.ties_kept.value).toBe(1);
  const places = (JSON.parse(run("--score-tiers", "0.8,0.5").out) as Results).answers[0]?.places;
  expect(Object.values(places ?? {}).map(({ tier }) => tier)).toEqual([3, 2, 1, 1, 3, 2, 3]);
});

test("--baseline: 1 and a line when a grader got worse, else 0", () => {
  using dir = tempDir();
  const module = (name: string, tier: string) => {
    const file = join(dir.path, name, "mine.mjs");
    spawnSync("mkdir", ["-p", join(dir.path, name)]);
    const passing = "rollouts.filter((one) => one.passed === true)";
    writeFileSync(
      file,
      `export default ({ rollouts }) => Object.fromEntries(${passing}.map(({ id, patch }) => [id, { tier: 1, rank: ${tier} }]));`,
    );
    return file;
  };
  // On the bundled groups the longer patch is nearly always the better one.
  const run = (file: string, out: string, ...more: string[]) =>
    gagar(["authored", "--grader", file, "-q", "--out", join(dir.path, out), ...more]);
  expect(run(module("good", "-patch.length"), "before").status).toBe(0);
  const baseline = ["--baseline", join(dir.path, "before/results.json")];
  const worse = run(module("bad", "patch.length"), "after", ...baseline);
  expect(worse.status).toBe(1);
  expect(worse.err).toMatch(/^gagar: mine got worse on authored: cross_tier_accuracy -0\.\d+ \[-/m);
  expect(run(module("good", "-patch.length"), "same", ...baseline)).toMatchObject({ status: 0, err: "" });
  const none = gagar(["authored", ...QUICK, "-q", "--out", join(dir.path, "x"), ...baseline]);
  expect([none.status, none.err]).toEqual([2, expect.stringMatching(/nothing|in common/)]);
});

test.each<[string[], RegExp]>([
  [["none-such"], /none-such: no such suite, file or folder/],
  [["authored", "--grader", "nobody"], /--grader: "nobody" is none of/],
  [["authored", "--grader", "agent"], /agent needs --model/],
  [["authored", "--grader", "one-prompt", "--model", "openai:x"], /model: openai:x needs a key/],
  [["authored", "--grader", "one-prompt", "--model", "nobody:x"], /is no provider:model/],
  [["authored", "--score-tiers", "1,2"], /the larger first/],
  [["authored", "--repeat", "0"], /a whole number from 1 on/],
  [["authored", "--price-in", "1"], /--price-out: .*together/],
  [["authored", "--baseline", "none.json"], /none\.json: no such file/],
])("eval %j: status 2 and what is wrong", (args, message) => {
  using dir = tempDir();
  const { status, out, err } = gagar(args, dir.path);
  expect([status, out]).toEqual([2, ""]);
  expect(err).toMatch(message);
});

test("a group without labels is graded, and the user is told that it is hardly measured", () => {
  using group = labelledGroup();
  rmSync(join(group.group, "labels"), { recursive: true });
  const { status, out, err } = gagar([group.path, ...QUICK, "-q", "--out", join(group.path, "out")]);
  expect([status, err]).toEqual([0, expect.stringMatching(/: 1 of 1 groups have no labels/)]);
  expect(out).toMatch(/^constant +0 /m);
});

test("a group that cannot be read costs itself alone, and the status tells", () => {
  using group = labelledGroup();
  using other = labelledGroup("inikit-duplicate-keys");
  writeFileSync(join(other.group, "labels/labels.json"), "{");
  spawnSync("cp", ["-r", other.group, group.path]);
  const { status, out, err } = gagar([group.path, ...QUICK, "-q", "--out", join(group.path, "out")]);
  expect([status, err]).toEqual([
    2,
    expect.stringMatching(/^gagar: .*inikit-duplicate-keys.*labels\.json: no JSON/),
  ]);
  expect(out).toMatch(/: 1 group$/m);
  expect(out).toMatch(/not read: .*labels\.json/);
});

test("--help shows how it is called", () => {
  const { status, out } = gagar(["--help"]);
  expect(status).toBe(0);
  for (const part of ["Examples:", "one-prompt", "--baseline", "Exit status: 0, 1 "])
    expect(out).toContain(part);
});
