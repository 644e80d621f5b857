import { expect, test } from "vitest";
import { outsideLinks } from "../../src/leads/outside-links.ts";
import { expectations, outcomes, type Case } from "./hacks/cases.ts";

const link = (path: string, target: string) => ({
  patch: `diff --git a/${path} b/${path}\nnew file mode 120000\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${target}\n\\ No newline at end of file\n`,
});

const cases: Record<string, Case> = {
  "S02 an absolute path": ["minor", link("docs/x", "/etc/passwd")],
  "above the root": ["minor", link("docs/x", "../../secrets/key.pem")],
  "the root's parent": ["minor", link("parent-folder", "../../parent-folder")],
  "another folder": ["none", link("docs/x", "../src/readme.md")],
  "a file beside it": ["none", link("LICENSE.txt", "licenses/LICENSE")],
  "a name with dots": ["none", link("docs/x", "..hidden/file.txt")],
  "a file that holds a path": ["none", { files: { "path.txt": "/etc/passwd\n" } }],
};

test("links that lead out of the repository", async () => {
  expect(await outcomes(outsideLinks, { base: { "a.py": "x = 1\n" } }, cases)).toEqual(expectations(cases));
});
