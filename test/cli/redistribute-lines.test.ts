import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../helpers/temp-dir.ts";
import { filter, group, main } from "./redistribute-filter.ts";

const good = group("good", [{ quality: 1 }, { quality: 2 }]);
const bad: { name: string; line: string; error: RegExp }[] = [
  { name: "not JSON", line: "nonsense\n", error: /^gagar: <stdin>:2: is not JSON/m },
  { name: "cut off", line: `${good.slice(0, 40)}\n`, error: /<stdin>:2: is not JSON/ },
  { name: "not an object", line: "[1]\n", error: /<stdin>:2: must be an object/ },
  { name: "no group id", line: '{"rollouts":[]}\n', error: /<stdin>:2: group_id: is missing/ },
  {
    name: "a number as group id",
    line: '{"group_id":7,"rollouts":[]}\n',
    error: /<stdin>:2: group_id: must be a text/,
  },
  { name: "no rollouts", line: '{"group_id":"x"}\n', error: /group x: rollouts: is missing/ },
  {
    name: "a rollout that is none",
    line: '{"group_id":"x","rollouts":[3]}\n',
    error: /group x: rollouts\[0\]: must be an object/,
  },
  { name: "no id", line: group("x", [{ id: undefined }]), error: /group x: rollouts\[0\]\.id: is missing/ },
  {
    name: "an id twice",
    line: group("x", [{ id: "r1", quality: 1 }, { quality: 1 }]),
    error: /group x: rollout r1: rollouts\[1\]\.id: is used before/,
  },
  {
    name: "no outcome",
    line: group("x", [{ passed: undefined }]),
    error: /rollout r0: rollouts\[0\]\.passed: is missing/,
  },
  {
    name: "1 as outcome",
    line: group("x", [{ passed: 1 }]),
    error: /rollouts\[0\]\.passed: must be true, false or null/,
  },
  {
    name: "a text as advantage",
    line: group("x", [{ advantage: "1" }]),
    error: /rollouts\[0\]\.advantage: must be a number/,
  },
  {
    name: "1e999",
    line: '{"group_id":"x","rollouts":[{"id":"a","passed":true,"advantage":1e999}]}\n',
    error: /group x: rollout a: rollouts\[0\]\.advantage: must be a finite number/,
  },
  {
    name: "NaN",
    line: '{"group_id":"x","rollouts":[{"id":"a","passed":true,"advantage":NaN}]}\n',
    error: /group x: rollout a: rollouts\[0\]\.advantage: must be a finite number/,
  },
  {
    name: "Infinity in a field that is not read",
    line: '{"group_id":"x","loss":-Infinity,"rollouts":[]}\n',
    error: /<stdin>:2: is not JSON/,
  },
  {
    name: "no reason for being ungraded",
    line: group("x", [{ ungraded: "" }, { quality: 1 }]),
    error: /rollout r0: rollouts\[0\]\.quality: is missing, as is a tier/,
  },
  {
    name: "a number as a reason",
    line: group("x", [{ ungraded: 1 }]),
    error: /rollouts\[0\]\.ungraded: must be a reason, true or false/,
  },
  {
    name: "a tier without a rank",
    line: group("x", [{ tier: 1 }]),
    error: /rollouts\[0\]\.rank: is missing beside tier/,
  },
  {
    name: "a rank without a tier",
    line: group("x", [{ rank: 1 }]),
    error: /rollouts\[0\]\.tier: is missing beside rank/,
  },
  {
    name: "tier 4",
    line: group("x", [{ tier: 4, rank: 1 }]),
    error: /rollouts\[0\]\.tier: must be 1, 2 or 3/,
  },
  {
    name: "a gap in the ranks",
    line: group("x", [
      { tier: 1, rank: 1 },
      { tier: 1, rank: 3 },
    ]),
    error: /rollout r1: rollouts\[1\]\.rank: the ranks of tier 1 are not dense/,
  },
  {
    name: "a quality of zero",
    line: group("x", [{ quality: 0 }, { quality: 1 }]),
    error: /rollout r0: rollouts\[0\]\.quality: must be above 0/,
  },
  {
    name: "half a token",
    line: group("x", [{ tokens: 0.5 }]),
    error: /rollouts\[0\]\.tokens: must be a whole number/,
  },
  {
    name: "a text as mask",
    line: group("x", [{ masked: "no" }]),
    error: /rollouts\[0\]\.masked: must be true or false/,
  },
  {
    name: "an object as flags",
    line: group("x", [{ flags: {} }]),
    error: /rollouts\[0\]\.flags: must be a list/,
  },
  { name: "a marker", line: group("x", [], { redistributed: {} }), error: /group x: redistributed:/ },
  {
    name: "an id that would clear the screen",
    line: group("x\u001b[2J\n", [{ passed: 1 }]),
    error: /group x\\u\{1b\}\[2J\\n: rollout r0/,
  },
];

test.each(bad)("a bad line is named and the others go on: $name", ({ line, error }) => {
  const { status, lines, err } = filter(good + line + good);
  expect(status).toBe(2);
  expect(lines).toHaveLength(2);
  expect(err).toMatch(error);
  expect(err.split("\n")).toHaveLength(3);
  expect(err).toMatch(/\ngagar redistribute: 3 groups read, 2 redistributed, 0 unchanged, 1 bad\n$/);
});

test("bytes that are not UTF-8 are refused, not replaced", () => {
  const { status, lines, err } = filter(
    Buffer.concat([Buffer.from('{"group_id":"\xff","rollouts":[]}\n', "latin1"), Buffer.from(good)]),
  );
  expect([status, lines.length]).toStrictEqual([2, 1]);
  expect(err).toMatch(/<stdin>:1: is not UTF-8/);
});

test("byte order mark, CRLF, blank lines and a missing last line end are no matter", () => {
  const { status, lines } = filter(`\ufeff${good.trim()}\r\n\r\n  \n${good.trim()}\r\n${good.trim()}`);
  expect([status, lines.length]).toStrictEqual([0, 3]);
  expect(new Set(lines.map((line) => JSON.stringify(line))).size).toBe(1);
});

test("--strict stops at the first bad line, with what came before it; --quiet keeps the summary back", () => {
  const strict = filter(good + bad[0]?.line + good, "--strict");
  expect([strict.status, strict.lines.length]).toStrictEqual([2, 1]);
  expect(strict.err).toMatch(/^gagar: <stdin>:2: is not JSON[^\n]*\n$/);
  expect(filter(good, "-q").err).toBe("");
});

describe("files", () => {
  test("are named in errors", () => {
    using dir = tempDir();
    const file = join(dir.path, "groups.jsonl");
    writeFileSync(file, `${good}\n[]\n`);
    const { status, err, lines } = filter("", file);
    expect([status, lines.length]).toStrictEqual([2, 1]);
    expect(err).toContain(`gagar: ${file}:3: must be an object`);
  });

  test.each(["nowhere.jsonl", "."])("that cannot be read are refused: %s", (file) => {
    const { status, out, err } = filter("", file);
    expect([status, out]).toStrictEqual([2, ""]);
    expect(err).toContain(`gagar: ${file}: cannot be read`);
  });
});

test.each([
  { args: ["--mode", "best"], error: /choices/ },
  { args: ["--cap", "0.5"], error: /c_max: must be between 1/ },
  { args: ["--cap", "much"], error: /a number is needed/ },
  { args: ["--tiers", "1:0.9,0.8:0.7"], error: /three tiers are needed/ },
  { args: ["--tiers", "1:0.9,0.95:0.7,0.6:0.5"], error: /tiers\[1\]\.hi: must not be above/ },
  { args: ["--quality-rule", "rank", "--quality-lo", "0"], error: /--quality-lo: must be above 0/ },
  { args: ["--quality-lo", "0.4"], error: /--quality-lo: is read only with/ },
  { args: ["--score-field", "x"], error: /--score-field: is read only with/ },
])("options that make no sense are refused: $args", ({ args, error }) => {
  const { status, out, err } = filter(good, ...args);
  expect([status, out]).toStrictEqual([2, ""]);
  expect(err).toMatch(error);
});

test("a configuration for which the cap can bind is warned about", () => {
  expect(filter("", "--tiers", "1:0.9,0.8:0.7,0.4:0.25").err).toMatch(/warning: .*up to 50\.0 %/);
});

test("lines come out while the input is still open", async () => {
  const child = spawn(process.execPath, [main, "redistribute", "-q"], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.write(good);
  const [first] = await once(child.stdout, "data");
  expect(JSON.parse(String(first))).toMatchObject({ group_id: "good" });
  child.stdin.end();
  expect((await once(child, "exit"))[0]).toBe(0);
});

test("a reader that stops early is no error", () => {
  using dir = tempDir();
  const file = join(dir.path, "groups.jsonl");
  writeFileSync(file, good.repeat(20_000));
  const command = '"$0" "$1" redistribute "$2" | head -c 10; exit "${PIPESTATUS[0]}"';
  const run = spawnSync("bash", ["-c", command, process.execPath, main, file], { encoding: "utf8" });
  expect({ status: run.status, out: run.stdout, err: run.stderr }).toStrictEqual({
    status: 0,
    out: '{"group_id',
    err: "",
  });
});
