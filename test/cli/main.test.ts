import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { Grade } from "../../src/schema/grade.ts";
import { jsonSchema } from "../../src/schema/json-schemas.ts";
import { makeGroup } from "../helpers/group.ts";
import { tempDir } from "../helpers/temp-dir.ts";

const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const example = fileURLToPath(new URL("../../examples/tallybook-post-split", import.meta.url));

function gagar(args: string[], options: { input?: string; cwd?: string; env?: NodeJS.ProcessEnv } = {}) {
  const run = spawnSync(process.execPath, [main, ...args], { encoding: "utf8", ...options });
  return { status: run.status, out: run.stdout, err: run.stderr };
}
const grades = (out: string) =>
  out
    .trimEnd()
    .split("\n")
    .map((line) => Grade.parse(JSON.parse(line)));

const base = { "f.py": "def f(x):\n    return x\n" };
const sketch = (id: string) => ({
  id,
  base,
  rollouts: {
    a: { files: { "f.py": "def f(x):\n    return x + 1\n" }, advantage: 1 },
    b: { files: { "f.py": "def f(x):\n    return 1 + x\n" }, advantage: 1 },
    c: { files: {}, advantage: -2, passed: false },
  },
});

test("grade --json prints one valid grade a line on stdout and nothing else; progress goes to stderr", () => {
  const { status, out, err } = gagar(["grade", example, "--json"]);
  expect(status).toBe(0);
  const [grade] = grades(out);
  expect(grade).toMatchObject({
    group_id: "tallybook-post-split",
    status: "graded",
    grader: { kind: "offline" },
  });
  expect(err).toBe("tallybook-post-split: graded\n");
  expect(gagar(["grade", example, "--json", "--quiet"]).err).toBe("");
});

test("two runs give the same bytes but for the measured time", () => {
  const bytes = () => gagar(["grade", example, "--json", "-q"]).out.replace(/"wall_s":[\d.]+/, "");
  expect(bytes()).toBe(bytes());
});

test("--out writes JSON and Markdown; a table goes to stdout", () => {
  using dir = tempDir();
  const { status, out } = gagar([
    "grade",
    example,
    "--out",
    join(dir.path, "a/b"),
    "--workspace",
    join(dir.path, "w"),
  ]);
  expect(status).toBe(0);
  expect(out).toMatch(/^tallybook-post-split: graded.*\nrollout +passed +tier/);
  expect(readdirSync(join(dir.path, "a/b"))).toEqual([
    "tallybook-post-split.grade.json",
    "tallybook-post-split.grade.md",
  ]);
  Grade.parse(JSON.parse(readFileSync(join(dir.path, "a/b/tallybook-post-split.grade.json"), "utf8")));
  expect(readFileSync(join(dir.path, "w/tallybook-post-split/findings.jsonl"), "utf8")).toContain(
    '"citations"',
  );
});

test("one bad input costs nothing but itself: status 2, its place on stderr, the rest graded", () => {
  using good = makeGroup(sketch("good"));
  using bad = makeGroup(sketch("bad"));
  const broken = JSON.parse(readFileSync(join(bad.dir, "group.json"), "utf8"));
  broken.rollouts[1].passed = "yes";
  writeFileSync(join(bad.dir, "group.json"), JSON.stringify(broken));
  const { status, out, err } = gagar(["grade", bad.dir, good.dir, join(bad.dir, "nowhere"), "--json"]);
  expect(status).toBe(2);
  expect(grades(out).map(({ group_id }) => group_id)).toEqual(["good"]);
  expect(err).toMatch(/gagar: .*group\.json:1: group bad: rollout b: rollouts\[1\]\.passed: /);
  expect(err).toMatch(/nowhere/);
});

test("a group that was read before, or is already redistributed, is refused", () => {
  using group = makeGroup(sketch("g"));
  const twice = gagar(["grade", group.dir, join(group.dir, "group.json"), "--json", "-q"]);
  expect([twice.status, grades(twice.out).length]).toEqual([2, 1]);
  expect(twice.err).toMatch(/group g: this group was read before/);
  const marked = {
    ...JSON.parse(readFileSync(join(group.dir, "group.json"), "utf8")),
    redistributed: { input_hash: "x", config_hash: "y" },
  };
  const again = gagar(["grade", "-", "--root", group.dir], { input: JSON.stringify(marked) });
  expect([again.status, again.out]).toEqual([2, ""]);
  expect(again.err).toMatch(/redistributed/);
});

test("JSONL on standard input, several at once: answers come out in the order of the input", () => {
  using group = makeGroup(sketch("g0"));
  const text = readFileSync(join(group.dir, "group.json"), "utf8");
  const ids = ["g0", "g1", "g2", "g3", "g4"];
  const input = ids.map((id) => text.replace('"g0"', `"${id}"`)).join("\n");
  const { status, out } = gagar(["grade", "-", "--json", "-q", "--concurrency", "3"], {
    input,
    cwd: group.dir,
  });
  expect(status).toBe(0);
  expect(grades(out).map(({ group_id }) => group_id)).toEqual(ids);
});

test("a fallback is an answer, and status 3 only under --strict", () => {
  using group = makeGroup(sketch("g"));
  const image = {
    ...JSON.parse(readFileSync(join(group.dir, "group.json"), "utf8")),
    repo: { image: "x", workdir: "/" },
  };
  const args = ["grade", "-", "--json", "-q", "--root", group.dir];
  const lenient = gagar(args, { input: JSON.stringify(image) });
  expect([lenient.status, grades(lenient.out)[0]?.status]).toEqual([0, "fallback"]);
  expect(gagar([...args, "--strict"], { input: JSON.stringify(image) }).status).toBe(3);
});

test("a relative workspace is one in the current folder; what fails in it ends the program", () => {
  using group = makeGroup(sketch("g"));
  const run = gagar(["grade", ".", "--json", "-q", "--workspace", "work"], { cwd: group.dir });
  expect([run.status, grades(run.out)[0]?.status]).toEqual([0, "graded"]);
  expect(readdirSync(join(group.dir, "work/g"))).toContain("grade.json");
});

test("weighting by tokens without tokens is refused before anything is graded", () => {
  using group = makeGroup(sketch("g"));
  const run = gagar(["grade", group.dir, "--weights", "tokens", "-q"]);
  expect([run.status, run.out]).toEqual([2, ""]);
  expect(run.err).toMatch(/group g: rollout a: rollouts\[0\]\.tokens: is missing/);
});

test("ids that are no file names are written under safe ones", () => {
  using group = makeGroup(sketch("../a/b c"));
  using dir = tempDir();
  expect(gagar(["grade", group.dir, "--out", dir.path, "-q"]).status).toBe(0);
  expect(readdirSync(dir.path)[0]).toMatch(/^_*_a_b_c-[0-9a-f]{8}\.grade\.json$/);
});

test("a reader that stops early is no error", async () => {
  const child = spawn("/bin/sh", [
    "-c",
    `"$0" "$1" grade "$2" --json -q | head -c 1; exit 0`,
    process.execPath,
    main,
    example,
  ]);
  let err = "";
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  expect(await new Promise((resolve) => child.on("close", resolve))).toBe(0);
  expect(err).toBe("");
});

test.each([
  [[], 2, /Usage: gagar/],
  [["graed"], 2, /Did you mean grade/],
  [["grade"], 2, /missing required argument 'input'/],
  [["grade", "x", "--cap", "0"], 2, /c_max: must be between 1/],
  [["grade", "x", "--estimator", "ppo"], 2, /Allowed choices are grpo, dr-grpo, rloo/],
  [["grade", "x", "--passed", "a", "--outcomes", "f"], 2, /cannot be used with/],
  [["schema", "nothing"], 2, /Allowed choices are group, grade/],
])("gagar %j ends with %d and says why", (args, status, message) => {
  const run = gagar(args);
  expect(run.status).toBe(status);
  expect(run.err).toMatch(message);
});

test.each([
  ["--help"],
  ["help"],
  ["grade", "--help"],
  ["redistribute", "--help"],
  ["show", "--help"],
  ["doctor", "--help"],
  ["schema", "--help"],
  ["help", "grade"],
  ["--version"],
])("gagar %s %s answers on stdout with status 0", (...args) => {
  const run = gagar(args);
  expect([run.status, run.err]).toEqual([0, ""]);
  expect(run.out.length).toBeGreaterThan(4);
});

test("schema prints what the package ships", () => {
  expect(JSON.parse(gagar(["schema", "grade"]).out)).toEqual(jsonSchema("grade"));
});

test("doctor says what works, and fails where git is missing", () => {
  const well = gagar(["doctor", "--json"]);
  expect(well.status).toBe(0);
  const checks = JSON.parse(well.out) as { name: string; ok: boolean; needed: boolean }[];
  expect(checks.filter(({ needed, ok }) => needed && !ok)).toEqual([]);
  using dir = tempDir();
  mkdirSync(join(dir.path, "bin"));
  symlinkSync("/bin/sh", join(dir.path, "bin/sh"));
  const ill = gagar(["doctor"], { env: { PATH: join(dir.path, "bin") } });
  expect(ill.status).toBe(4);
  expect(ill.out).toMatch(/git +MISSING +not usable +install git/);
});

test("gagar test without a sandbox: nothing is told, and nothing is contradicted", () => {
  const { status, out } = gagar(["test", example, "--sandbox", "none"]);
  expect(status).toBe(3);
  expect(out).toMatch(/^r02 +passed +unavailable +unknown/m);
  const { status: jsonStatus, out: json } = gagar(["test", example, "--sandbox", "none", "--json"]);
  expect(jsonStatus).toBe(3);
  expect(JSON.parse(json)).toMatchObject({
    group_id: "tallybook-post-split",
    check: { id: "x1", sandbox: "none" },
    rollouts: expect.arrayContaining([
      { id: "r02", passed: true, result: "unavailable", agreement: "unknown" },
    ]),
  });
});

test("gagar test of a group without tests names what is missing; an unknown policy is refused", () => {
  using group = makeGroup(sketch("none"));
  const untested = gagar(["test", group.dir, "--sandbox", "none"]);
  expect([untested.status, untested.err]).toEqual([2, expect.stringContaining("tests: is missing")]);
  const unknown = gagar(["test", group.dir, "--sandbox", "none", "--runner", "pytest"]);
  expect([unknown.status, unknown.err]).toEqual([2, expect.stringContaining("needs --test-command")]);
  const policy = gagar(["grade", group.dir, "--contradicted", "forgive"]);
  expect([policy.status, policy.err]).toEqual([2, expect.stringContaining("report, demote, exclude, veto")]);
});
