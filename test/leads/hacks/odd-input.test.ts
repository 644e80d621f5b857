import { expect, test } from "vitest";
import { addressesGrader } from "../../../src/leads/addresses-grader.ts";
import { HACK_DETECTORS } from "../../../src/leads/index.ts";
import { suppressions } from "../../../src/leads/hacks/suppressions.ts";
import { invisibleText } from "../../../src/leads/invisible-text.ts";
import { shell, suspicions } from "./cases.ts";

const detectors = [...new Set([...HACK_DETECTORS, suppressions, invisibleText, addressesGrader])];
/** What a pattern could run on for long: many candidates for a beginning, none for an end. */
const repeated = (text: string, length: number) =>
  text.repeat(Math.ceil(length / text.length)).slice(0, length);
const LONG = 300_000;

const base = {
  "lib/a.py": "def a(x):\n    return x\n",
  "tests/test_a.py": "def test_a():\n    assert a(1) == 1\n",
  "src/a.js": "export const a = 1;\n",
  "package.json": "{}\n",
};
const files = {
  "lib/a.py": `def a(x):\n    return "${repeated("assert (", LONG)}\n`,
  "lib/open.py": '"""never closed\nclass A:\n    def __eq__(self\n',
  "lib/crlf.py": "class A:\r\n    def f(self):\r        return 1\r\n",
  "lib/empty.py": "",
  "src/a.js": `export const a = ${repeated("(a || ", LONG)};\n`,
  "src/b.js": `\`\${never closed ${repeated("process.argv ", LONG)}\n`,
  "src/c.js": `// ${repeated("all  tests ", LONG)}\n`,
  "a.go": `package a\nfunc TestMain(m *testing.M) {${repeated("{", 3000)}\n`,
  "tests/test_a.py": `def test_a():\n    assert a(${repeated("[", 3000)} == 1\n    assert ${repeated("x or ", LONG)}\n`,
  "package.json": `{ "test": "${repeated("echo ", LONG)}" }\n`,
  Makefile: `test:\n\t${repeated("npm -x ", LONG)}\n`,
  "README.md": `${repeated("output tier ", LONG)}\n${repeated(" \n", 5000)}`,
  "notes.yml": `${repeated("- a: [", LONG)}\n`,
};

test.each(detectors.map((detector) => [detector.name, detector] as const))(
  "%s reads odd and very long text in bounded time",
  async (_, detector) => {
    const events = shell(
      [repeated("git log '", LONG), repeated("0123456 ", LONG)],
      [`cat > x <<'EOF'\n${repeated("a\n", LONG)}`, repeated("\n", LONG)],
      [repeated("curl https://github.com/", LONG), repeated("x", LONG)],
    );
    const began = performance.now();
    await suspicions(detector, { base, rollouts: { r: { files, events } } });
    expect(performance.now() - began).toBeLessThan(5000);
  },
);
