import { join } from "node:path";
import { expect, test } from "vitest";
import { loadGroups, type SourceOptions } from "../../src/sources/index.ts";
import { folderOf, groupOf } from "./folder.ts";

const PATCH = "diff --git a/t b/t\n";
const own = { command: "npm test", runner: "jest", timeout_s: 9 };
const plain = { "task.md": "Fix.\n", "repo/a": "x\n", "rollouts/r/patch.diff": "" };
const rows = `${JSON.stringify(groupOf({ tests: own }))}\n`;

async function loadAll(input: string, options: SourceOptions) {
  const all = [];
  for await (const loaded of loadGroups(input, options)) all.push(loaded);
  return all;
}

test.each<[string, Record<string, string>, string, SourceOptions, object]>([
  [
    "a plain folder gets tests",
    plain,
    "",
    { testCommand: "pytest", runner: "pytest", testImage: "i:1", testSetup: "make", testTimeout: 7 },
    { command: "pytest", runner: "pytest", image: "i:1", setup: "make", timeout_s: 7 },
  ],
  [
    "what is given goes before what a group says, and leaves the rest",
    { "group.json": JSON.stringify(groupOf({ tests: own })) },
    "",
    { testCommand: "npx jest --ci", testImage: "i:1" },
    { command: "npx jest --ci", runner: "jest", timeout_s: 9, image: "i:1" },
  ],
  [
    "a field alone is enough where a group has a command",
    { "g.jsonl": rows },
    "g.jsonl",
    { testTimeout: 60 },
    { ...own, timeout_s: 60 },
  ],
  ["nothing given changes nothing", { "g.jsonl": rows }, "g.jsonl", {}, own],
])("%s", async (_what, files, name, options, tests) => {
  const root = await folderOf(files);
  expect(await loadAll(join(root, name), options)).toMatchObject([{ group: { tests } }]);
});

test("the tests' patch lies anywhere; the group's other paths stay", async () => {
  const root = await folderOf({ "a/tests.patch": PATCH, ...plain });
  const options = { testCommand: "pytest", testPatch: join(root, "a/tests.patch") };
  expect(await loadAll(root, options)).toMatchObject([
    { root, roots: { tests: join(root, "a") }, group: { tests: { patch_path: "tests.patch" } } },
  ]);
});

test.each<[string, SourceOptions, string]>([
  ["a runner without a command", { runner: "go" }, "--runner: needs --test-command"],
  ["a time limit without a command", { testTimeout: 5 }, "--test-timeout: needs --test-command"],
  [
    "a patch that is not there",
    { testCommand: "x", testPatch: "none.patch" },
    "--test-patch: none.patch: no such",
  ],
])("%s is refused", async (_what, options, message) => {
  const root = await folderOf(plain);
  expect(await loadAll(root, options)).toMatchObject([
    { error: { message: expect.stringContaining(message) } },
  ]);
});
