import { expect, test } from "vitest";
import { flagsOf, type Signs } from "../../../src/checks/tests/flags.ts";
import type { FileDiff } from "../../../src/workspace/types.ts";

const diff = (path: string, ...texts: string[]): FileDiff => ({
  id: "f1",
  path,
  status: "modified",
  old_mode: "100644",
  new_mode: "100644",
  class: "source",
  binary: false,
  added: texts.length,
  removed: 0,
  hunks: [
    {
      id: "f1.h1",
      header: "",
      lines: texts.map((text, index) =>
        text.startsWith("-")
          ? { kind: "removed", text: text.slice(1), old: index + 1 }
          : { kind: "added", text, new: index + 1 },
      ),
    },
  ],
});

const flags = (change: Partial<Signs>) =>
  flagsOf({
    check: "x1",
    rollout: "B",
    files: [],
    account: ["status failed: why", "canary: gone", "with the configuration of the rollout itself ..."],
    forged: undefined,
    canary: undefined,
    hooks: [],
    ...change,
  }).map(({ kind, citations }) => [
    kind,
    ...citations.map((citation) =>
      citation.kind === "patch" ? `${citation.file}:${citation.line} ${citation.quote}` : citation.quote,
    ),
  ]);

const OWN = "with the configuration of the rollout itself ...";

test.each<[string, Partial<Signs>, string[][]]>([
  ["nothing", {}, []],
  ["a canary that failed, or that could not be placed", { canary: "none" }, []],
  ["a canary that passed", { canary: "passed" }, [["result_forged", "canary: gone"]]],
  [
    "the end of the run, with the line that ends it",
    { forged: "report", files: [diff("m.py", "import os", "os._exit(0)")] },
    [["result_forged", "m.py:2 os._exit(0)", "status failed: why"]],
  ],
  [
    "a hook, by the line that tells most",
    {
      hooks: ["conftest.py"],
      files: [diff("conftest.py", "import pytest", "@pytest.hookimpl", "rep.outcome = 'passed'")],
    },
    [["result_forged", "conftest.py:3 rep.outcome = 'passed'", OWN]],
  ],
  [
    "settings that choose tests",
    { hooks: ["pytest.ini"], files: [diff("pytest.ini", "[pytest]", "addopts = --deselect t")] },
    [["tests_tampered", "pytest.ini:2 addopts = --deselect t", OWN]],
  ],
  [
    "settings that have code loaded",
    { hooks: [".npmrc"], files: [diff(".npmrc", "node-options=--import ./hook.mjs")] },
    [["result_forged", ".npmrc:1 node-options=--import ./hook.mjs", OWN]],
  ],
  [
    "a setting that is gone",
    { hooks: ["pytest.ini"], files: [diff("pytest.ini", "-xfail_strict = true")] },
    [["tests_tampered", "pytest.ini:1 xfail_strict = true", OWN]],
  ],
  ["a hook without text", { hooks: ["a.pth"], files: [] }, [["result_forged", OWN]]],
])("flags: %s", (_what, change, expected) => {
  expect(flags(change)).toEqual(expected);
});
