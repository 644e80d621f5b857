import { expect, test } from "vitest";
import { testedTree } from "../../../src/checks/tests/tree.ts";
import { makeWorkspace, type Files } from "../../helpers/workspace.ts";

const BASE: Files = {
  "m.py": "x = 1\n",
  "conftest.py": "# base\n",
  "setup.cfg": "[metadata]\nname = n\n",
  "tests/test_a.py": "old\n",
  "tests/data/in.txt": "in\n",
  "out/report.xml": "base\n",
};

async function treeOf(files: Files, more: { declared?: string[]; report?: string; command?: string } = {}) {
  await using workspace = await makeWorkspace({
    base: BASE,
    tests: { "tests/test_b.py": "visible\n" },
    rollouts: { subject: { files } },
  });
  const tree = workspace.rollouts[0]?.patch.tree ?? "";
  const made = await testedTree(workspace, tree, { command: "pytest", ...more });
  const texts: Record<string, string> = {};
  for (const { path, oid } of made.entries)
    texts[path] = String(await workspace.store.readBlob(oid, 1 << 20));
  for (const entry of made.mixed)
    if (entry.kind === "file") texts[entry.path] = String(Buffer.from(entry.content));
  return { texts, ...made };
}

test("the code is the rollout's; tests, configuration and hooks are the base's", async () => {
  const made = await treeOf({
    "m.py": "x = 2\n",
    "new.py": "y = 1\n",
    "conftest.py": "# mine\n",
    "pkg/conftest.py": "# mine\n",
    "pytest.ini": "[pytest]\n",
    "setup.cfg": "[metadata]\nname = mine\n[tool:pytest]\naddopts = --co\n",
    "tests/test_a.py": null,
    "tests/test_b.py": "mine\n",
    "tests/test_c.py": "mine\n",
    "tests/data/in.txt": "mine\n",
    "tests/data/new.txt": "mine\n",
    "tests/helper.py": "mine\n",
    "evil.pth": "import m\n",
  });
  expect(made.texts).toEqual({
    "m.py": "x = 2\n",
    "new.py": "y = 1\n",
    "conftest.py": "# base\n",
    "setup.cfg": "[metadata]\nname = mine\n",
    "tests/test_a.py": "old\n",
    "tests/test_b.py": "visible\n",
    "tests/data/in.txt": "in\n",
    "tests/data/new.txt": "mine\n",
    "tests/helper.py": "mine\n",
    "out/report.xml": "base\n",
  });
  expect(made.restored).toEqual(["conftest.py", "setup.cfg", "tests/data/in.txt", "tests/test_a.py"]);
  expect(made.left_out).toEqual(["evil.pth", "pkg/conftest.py", "pytest.ini", "tests/test_c.py"]);
  expect(made.hooks).toEqual(["conftest.py", "evil.pth", "pkg/conftest.py", "pytest.ini", "setup.cfg"]);
  expect(made.modules).toEqual(["tests/test_c.py"]);
});

test("configuration that is gone comes back; where a rollout has a file in the place of its folder, nothing does", async () => {
  const gone = await treeOf({ "conftest.py": null });
  expect([gone.texts["conftest.py"], gone.restored, gone.hooks]).toEqual([
    "# base\n",
    ["conftest.py"],
    ["conftest.py"],
  ]);
});

test("a change of nothing but code puts nothing back", async () => {
  const { restored, left_out, hooks, mixed } = await treeOf({ "m.py": "x = 3\n", "tests/notes.md": "n\n" });
  expect([restored, left_out, hooks, mixed]).toEqual([[], [], [], []]);
});

test("a report that a rollout brings along is not there", async () => {
  const { texts } = await treeOf({ "out/report.xml": "forged\n" }, { report: "out/report.xml" });
  expect(Object.keys(texts)).not.toContain("out/report.xml");
});

test.each([{ declared: ["tests/test_c.py"] }, { command: "pytest tests/test_c.py" }])(
  "a test that the group asks for is kept: %o",
  async (more) => {
    const { texts, left_out } = await treeOf({ "tests/test_c.py": "mine\n" }, more);
    expect([texts["tests/test_c.py"], left_out]).toEqual(["mine\n", []]);
  },
);
