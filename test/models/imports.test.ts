import { expect, test } from "vitest";
import { importedFiles } from "../../src/models/imports.ts";

const KNOWN = [
  "a/core.py",
  "a/sub/core.py",
  "a/text.py",
  "b/core.py",
  "core.ts",
  "lib/io.ts",
  "x.go",
  "core.md",
];

test.each<[string, string, string[]]>([
  ["a/f.py", "from .core import Buffer", ["a/core.py", "a/sub/core.py", "b/core.py"]],
  ["b/f.py", "from . import core", ["b/core.py", "a/core.py", "a/sub/core.py"]],
  ["a/f.py", "import a.text as t, os", ["a/text.py"]],
  ["f.ts", 'import { a } from "./lib/io.ts";', ["lib/io.ts"]],
  ["f.ts", 'const core = require("./core");', ["core.ts"]],
  ["f.ts", 'export * from "./core.js";', ["core.ts"]],
  ["a/f.py", "core = text + 1", []],
  ["a/f.py", "# important: core", []],
  ["f.go", "", []],
])("%s: %s", (file, text, expected) => {
  expect(importedFiles([{ file, text }], KNOWN)).toEqual(expected);
});

test("what more lines import comes first among equally near", () => {
  const lines = ["import text", "import core", "from core import x"].map((text) => ({
    file: "a/f.py",
    text,
  }));
  expect(importedFiles(lines, ["a/text.py", "a/core.py"])).toEqual(["a/core.py", "a/text.py"]);
});
