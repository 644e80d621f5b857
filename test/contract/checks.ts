import { readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { gradeGroup } from "../../src/grade.ts";
import { scriptedInspector } from "../../src/models/scripted.ts";
import type { Sandbox } from "../../src/sandbox/types.ts";
import type { Check } from "../../src/schema/check.ts";
import { loadGroups } from "../../src/sources/index.ts";
import { makeGroup } from "../helpers/group.ts";
import { makeTools, type TestTools } from "../helpers/tools.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const GROUPS: [string, string][] = [
  ["tallybook-post-split", "examples"],
  ["inikit-duplicate-keys", "evals/suites/authored"],
  ["tagwire-filter-args", "evals/suites/authored"],
  ["ttlkeep-slow-set", "evals/suites/authored"],
];

/** What is known of a group: rollouts that forge their results, and checks that prove each fault by running it. */
const Known = z.object({
  rollouts: z.record(z.string(), z.looseObject({ passed: z.boolean(), hack: z.boolean().optional() })),
  hidden_checks: z.array(
    z.object({
      id: z.string(),
      command: z.string(),
      expect_fail: z.array(z.string()),
      failing_rollouts_that_also_fail: z.array(z.string()),
    }),
  ),
});

/** What the tools promise about code that is run, for every sandbox. */
export function checksContract(name: string, make: () => Sandbox): void {
  describe(`checks: ${name}`, () => {
    let sandbox: Sandbox;
    beforeAll(() => {
      sandbox = make();
    });
    afterAll(() => sandbox.close());

    // Some of the hidden checks measure time: on a machine that is busy they are given another try.
    test.each(GROUPS)(
      "%s: recorded results are reproduced, and the hidden checks separate the rollouts as labelled",
      { timeout: 240_000, retry: 2 },
      async (group, folder) => {
        const known = Known.parse(
          JSON.parse(readFileSync(join(root, "evals/labels/authored", `${group}.json`), "utf8")),
        );
        const ids = Object.keys(known.rollouts);
        const rollouts = ids.map((_, index) => String.fromCodePoint(65 + index));
        const scripts = known.hidden_checks.map(({ command }) => {
          const file = command.split("/").at(-1) ?? "";
          return {
            script: readFileSync(join(root, "evals/labels/hidden", group, file), "utf8"),
            language: extname(file) === ".py" ? "python" : "node",
          };
        });
        const inspector = scriptedInspector([
          [
            { name: "run_tests", args: { rollouts } },
            ...scripts.map((script) => ({
              name: "run_check",
              args: { ...script, rollouts, tests: true, base: false },
            })),
          ],
          [],
          [],
        ]);
        const [tests, ...hidden] = await checksOf(join(root, folder, group), { inspector, sandbox });
        for (const { rollout, exit_code } of tests?.runs ?? []) {
          const honest = known.rollouts[rollout];
          // Without any change the tests have to fail: they are about what is to be built.
          if (rollout === "base") expect(exit_code).not.toBe(0);
          else if (honest?.hack !== true)
            expect([rollout, exit_code === 0]).toEqual([rollout, honest?.passed]);
        }
        expect(hidden.length).toBe(known.hidden_checks.length);
        for (const [index, { id, ...expected }] of known.hidden_checks.entries()) {
          const failed = hidden[index]?.runs.filter((run) => run.exit_code !== 0).map((run) => run.rollout);
          expect([id, failed?.sort()]).toEqual([
            id,
            [...expected.expect_fail, ...expected.failing_rollouts_that_also_fail].sort(),
          ]);
        }
      },
    );

    describe("tools", () => {
      let made: TestTools;
      beforeAll(async () => {
        made = await makeTools(
          {
            base: {
              "m/__init__.py": "def f(x):\n    return x\n",
              "tests/test_old.py": OLD_TEST,
              "m.mjs": "export const f = (x) => x;\n",
              "package.json": '{"type": "module"}',
            },
            tests: { "tests/__init__.py": "", "tests/test_f.py": TEST },
            rollouts: {
              add: { files: { "m/__init__.py": "def f(x):\n    return x + 1\n" } },
              same: { files: { "m/__init__.py": "def f(x):\n    return 1 + x\n" } },
              twice: {
                files: {
                  "m/__init__.py": "def f(x):\n    return x * 2\n",
                  "tests/test_f.py": "import os\nos._exit(0)\n",
                  "tests/test_old.py": "",
                },
              },
            },
          },
          [],
          {
            sandbox,
            tests: { command: "python3 -m unittest discover -s tests -t .", runner: "unittest" },
          },
        );
      });
      afterAll(() => made[Symbol.asyncDispose]());

      const label = (id: string) => made.workspace.labelOf(id);
      const call = (tool: string, args: Record<string, unknown>) => made.tools.call(tool, args);
      const kindsOf = async (tool: string, args: Record<string, unknown>) => {
        const { data, text, error } = await call(tool, args);
        if (error) throw new Error(text);
        return z
          .object({
            clusters: z.array(z.looseObject({ rollouts: z.array(z.string()), end: z.string() })),
            shown: z.array(z.string()),
          })
          .parse(data);
      };

      test("one script over all: what behaves alike is one cluster, with the difference", async () => {
        const script = "from m import f\nprint(f(1))\nprint(f(5), 'took 0.123 s')";
        const answer = await call("run_check", { script });
        const clean = [label("add"), label("same")].sort().join(" ");
        expect(answer.text).toContain(
          `lines of output that are not the same everywhere: 1\n2 ${clean}| 6 took 0.123 s\n2 ${label("twice")}| 10 took 0.123 s\n`,
        );
        expect(answer.data).toMatchObject({ sandbox: name });
        const { clusters } = await kindsOf("run_check", { script, base: true });
        expect(clusters.map(({ rollouts }) => rollouts.sort())).toEqual([
          [label("add"), label("same")].sort(),
          [label("twice")],
          ["base"],
        ]);
      });

      test("a generator of random inputs parts the rollouts by its smallest case", async () => {
        const script = [
          "import json, random; from m import f",
          "random.seed(7)",
          "for x in [*range(9, -9, -1), *(random.randrange(10**6) for _ in range(300))]:",
          "  print(json.dumps({'case': x, 'got': f(x)}))",
        ].join("\n");
        const answer = await call("run_check", { script });
        const clean = [label("add"), label("same")].sort();
        // x + 1 and x * 2 are the same for 1 alone.
        expect(answer.text).toContain("318 cases told; 317 of them part the rollouts, in 1 way\n");
        expect(answer.data).toMatchObject({
          cases: {
            told: 318,
            parting: 317,
            ways: [
              {
                cases: 317,
                first: { case: "9", sides: [{ rollouts: clean }, { rollouts: [label("twice")] }] },
                smallest: { case: "9" },
              },
            ],
          },
        });
        expect(answer.text).toContain(
          `${clean.join(" ")} | ${label("twice")}: 317 cases\ncase on line 1| 9\n  ${clean.join(" ")}| {"case": 9, "got": 10}\n  ${label("twice")}| {"case": 9, "got": 18}\n`,
        );
      });

      test("what differs between two runs of one rollout is left out; a run that ends otherwise is flaky", async () => {
        const noise = "import os; from m import f\nprint(os.urandom(8).hex())\nprint(f(5))";
        const noisy = await call("run_check", { script: noise });
        expect(noisy.text).toContain(
          "left out, since they differ between two runs of one rollout: 1 lines or cases",
        );
        expect(noisy.data).toMatchObject({
          unsteady: 1,
          clusters: [{ rollouts: [label("add"), label("same")].sort() }, { rollouts: [label("twice")] }],
        });
        // About half of the runs fail: some are seen to, and those that are not have come out twice alike.
        const coin = "import os, sys\nsys.exit(os.urandom(1)[0] % 2)";
        for (let tries = 0; tries < 20; tries += 1) {
          const tossed = await call("run_check", { script: coin });
          if (!tossed.text.includes("FLAKY, run twice with different results")) continue;
          const { flaky, clusters } = z
            .object({
              flaky: z.array(z.string()),
              clusters: z.array(z.looseObject({ rollouts: z.array(z.string()) })),
            })
            .parse(tossed.data);
          expect([...flaky, ...clusters.flatMap(({ rollouts }) => rollouts)].sort()).toEqual(["A", "B", "C"]);
          return;
        }
        expect.fail("twenty checks of a coin never came out differently");
      });

      test.each<[string, Record<string, unknown>, string]>([
        [
          "Node, relative to the root",
          { language: "node", script: "import {f} from './m.mjs'; console.log(f(3))" },
          "3",
        ],
        ["a shell", { language: "shell", script: 'pwd; ls "$CHECK"' }, "/work\nout. /input/check/check.sh"],
        [
          "a place in the tree and a command",
          { script: "X = 7", path: "m/probe.py", command: "python3 -c 'import m.probe as p; print(p.X)'" },
          "7",
        ],
        ["a command alone with the script beside it", { script: "echo hi", command: 'sh "$CHECK"' }, "hi"],
        ["the visible tests", { script: "import os; print(os.listdir('tests'))", tests: true }, "test_f.py"],
        [
          "no way to write the script",
          { script: "try: open(__file__, 'w')\nexcept OSError as e: print(e.strerror)" },
          "Read-only file system|Permission denied",
        ],
      ])("a script in %s", async (_what, args, expected) => {
        const { clusters, shown } = await kindsOf("run_check", { ...args, rollouts: [label("add")] });
        expect(clusters.map(({ end }) => end)).toEqual(["exited with status 0"]);
        expect(shown.join("\n")).toMatch(new RegExp(expected));
      });

      test("run_tests puts the visible tests back, and tells what the runner said", async () => {
        const { clusters } = await kindsOf("run_tests", {});
        expect(clusters.map(({ rollouts, status, tests }) => [rollouts.sort(), status, tests])).toEqual([
          [[label("add"), label("same")].sort(), "passed", "3 passed, 0 failed, 0 skipped"],
          [[label("twice")], "failed", "2 passed, 1 failed, 0 skipped: tests.test_f.T.test_five"],
          [["base"], "failed", expect.stringContaining("1 passed, 2 failed")],
        ]);
        expect(clusters.map(({ restored }) => restored)).toEqual([
          undefined,
          ["tests/test_old.py"],
          undefined,
        ]);
        const one = await kindsOf("run_tests", { pattern: "test_one", base: false });
        expect(one.clusters.map(({ tests }) => tests)).toEqual(["1 passed, 0 failed, 0 skipped"]);
      });

      test("every bad end has its own words, and the next check works", async () => {
        const of = async (script: string, more = {}) =>
          (
            await kindsOf("run_check", { script, rollouts: [label("add")], timeout_s: 10, ...more })
          ).clusters.map(({ end }) => end);
        const fork = "import os\nwhile True:\n  try: os.fork()\n  except OSError: pass";
        expect(await of(fork, { timeout_s: 2 })).toEqual(["ended because its time was over"]);
        expect(await of("x = b'x' * (3 << 30)", { timeout_s: 60 })).toEqual([
          "ended because its memory was used up",
        ]);
        expect(await of("while True: print('y' * 9999)", { timeout_s: 60 })).toEqual([
          "ended because it printed too much",
        ]);
        const deaf =
          "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nwhile True: time.sleep(1)";
        expect(await of(deaf, { timeout_s: 1 })).toEqual(["ended because its time was over"]);
        expect(await of("print(1)")).toEqual(["exited with status 0"]);
      });

      test("tests that hang cost the rerun, not the grade", async () => {
        using group = makeGroup({
          base: { "f.py": "x = 1\n" },
          rollouts: Object.fromEntries(
            ["a", "b", "c", "d", "e"].map((id, index) => [
              id,
              { files: { "f.py": `x = ${index + 2}\n` }, advantage: 1 },
            ]),
          ),
          tests: { command: "sleep 60" },
        });
        const grade = await gradeGroup(group, { sandbox, budget: { wall_s: 20 } });
        expect(grade).toMatchObject({ status: "graded", spend: { checks: 1 } });
        expect(grade.spend.wall_s).toBeLessThan(20);
        expect(grade.warnings?.join("\n")).toContain(
          "the rerun of the tests says nothing (x1: not run: the time for this group is nearly over)",
        );
      });

      test("the shell shows all trees, read-only; its scratch folder stays", async () => {
        const run = async (command: string) => (await call("shell", { command })).text;
        expect(await run("ls")).toMatch(new RegExp(["A", "B", "C", "base", "tests"].join("\n *out\\| ")));
        expect(await run(`diff -r base ${label("add")}; echo x >/work/kept`)).toContain("return x + 1");
        expect(await run("cat /work/kept; echo x >A/new || echo refused")).toMatch(
          /out\| x\n *out\| refused/,
        );
      });

      test("read_check pages through what a check printed", async () => {
        const script = "for i in range(2000): print('line', i)";
        const answer = await call("run_check", { script, rollouts: [label("add")] });
        const { check } = z.looseObject({ check: z.string() }).parse(answer.data);
        expect(answer.text).toMatch(/\n\[\d+ lines left out here; read_check shows them\]\n/);
        const first = await call("read_check", { check });
        expect(first.text).toContain(
          '500 more lines left out here; go on with cursor "500"'.replace("500 more", "1500 more"),
        );
        const last = await call("read_check", { check, rollout: label("add"), cursor: "1500" });
        expect(last.text).toContain("out| line 1999");
      });
    });
  });
}

const OLD_TEST = `import unittest
from m import f
class T(unittest.TestCase):
    def test_zero(self): self.assertEqual(type(f(0)), int)
`;

const TEST = `import unittest
from m import f
class T(unittest.TestCase):
    def test_one(self): self.assertEqual(f(1), 2)
    def test_five(self): self.assertEqual(f(5), 6)
`;

async function checksOf(folder: string, options: Parameters<typeof gradeGroup>[1]): Promise<Check[]> {
  for await (const loaded of loadGroups(folder)) {
    if ("error" in loaded) throw loaded.error;
    return (await gradeGroup(loaded, options)).checks ?? [];
  }
  throw new Error(`no group in ${folder}`);
}
