import { expect, test } from "vitest";
import type { Entry } from "../../src/models/inspector.ts";
import { surveyCalls } from "../../src/models/survey.ts";
import { makeTools } from "../helpers/tools.ts";
import type { WorkspaceSketch } from "../helpers/workspace.ts";

const long = (mark: string) => Array.from({ length: 500 }, (_, i) => `${mark} ${i}\n`).join("");

/** Every answer of the survey of a group, in order, as `tool arguments` with its text. */
async function survey(sketch: WorkspaceSketch) {
  await using made = await makeTools(sketch);
  const entries: Entry[] = [];
  const answers: { call: string; text: string; error: boolean }[] = [];
  for (let step = 0; ; step += 1) {
    const calls = surveyCalls(entries);
    if (calls === undefined) return { answers, label: (id: string) => made.workspace.labelOf(id) };
    const turn = { text: "", calls: [], model_calls: 0, tokens_in: 0, tokens_out: 0 };
    entries.push({ type: "assistant", turn });
    for (const { name, args } of calls) {
      const answer = await made.tools.call(name, args);
      entries.push({ type: "reply", call: { id: `${step}`, name, args }, answer });
      answers.push({ call: `${name} ${JSON.stringify(args)}`, ...answer });
    }
  }
}

const base = {
  "README.md": "Rules.\n",
  "src/f.py": "def f(x):\n    return x\n",
  "src/g.py": "g = 1\n",
  LOG: "-\n",
};

test("task, rollouts, leads; each distinct patch; the project's rules and the base's files that are touched", async () => {
  const { answers, label } = await survey({
    base,
    rollouts: {
      one: {
        files: { "src/f.py": "def f(x):\n    return x + 1\n", LOG: "-\n- f adds one\n", "new.py": "n = 1\n" },
      },
      two: { files: { "src/f.py": "def f(x):\n    return 1 + x\n", LOG: "-\n- f adds one\n" } },
      twin: { files: { "src/f.py": "def f(x):\n    return 1 + x\n", LOG: "-\n- f adds one\n" } },
      failed: { files: { "src/g.py": "g = 2\n" }, passed: false },
    },
  });
  expect(answers.map(({ error }) => error)).toEqual(answers.map(() => false));
  const [, , , first, second, ...files] = answers;
  expect(answers.slice(0, 3).map(({ call }) => call)).toEqual(["task {}", "list_rollouts {}", "leads {}"]);
  // Of two with the same tree one is read; what the second changes in the same way is named alone.
  const [a = "", b = ""] = [first, second].map((answer) => /"rollout":"(\w+)"/.exec(answer?.call ?? "")?.[1]);
  expect(second?.call).toContain(`"unlike":["${a}"]`);
  expect([a, b].includes(label("one"))).toBe(true);
  expect(first?.text).toContain("+| - f adds one");
  expect(second?.text).toMatch(new RegExp(`modified, \\+1 -0, exactly as in ${a} \\| LOG`));
  expect(second?.text).not.toContain("- f adds one");
  expect(files.map(({ call }) => /"path":"([^"]*)"/.exec(call)?.[1])).toEqual([
    "README.md",
    "LOG",
    "src/f.py",
    undefined,
  ]);
  expect(files.at(-1)?.call).toBe('list_files {"tree":"base","folder":"src"}');
});

test("what the patches and the files that they touch import comes last", async () => {
  const { answers } = await survey({
    base: {
      ...base,
      "src/f.py": "from .g import g\n\ndef f(x):\n    return x\n",
      "src/text.py": "def shown(x):\n    return str(x)\n",
      "src/other.py": "y = 1\n",
    },
    rollouts: {
      one: {
        files: { "src/f.py": "from .g import g\nfrom .text import shown\n\ndef f(x):\n    return x + 1\n" },
      },
      two: { files: { "src/f.py": "from .g import g\n\ndef f(x):\n    return 1 + x\n" } },
    },
  });
  const calls = answers.map(({ call }) => call);
  const paths = calls.slice(calls.indexOf('list_files {"tree":"base","folder":"src"}') + 1);
  expect(paths.map((call) => /"path":"([^"]*)"/.exec(call)?.[1])).toEqual(["src/g.py", "src/text.py"]);
});

test("patches that are too long are left to whoever asks, and then nothing of the base is shown", async () => {
  const { answers } = await survey({
    base,
    rollouts: { one: { files: { "a.txt": long("a") } }, two: { files: { "b.txt": long("b") } } },
  });
  expect(answers.map(({ call }) => call)).toEqual(["task {}", "list_rollouts {}", "leads {}"]);
});
