import { expect, test } from "vitest";
import { underTest } from "../../../src/leads/hacks/under-test.ts";
import { expectations, outcomes, type Case } from "./cases.ts";

const base = {
  "src/a.js": "export const a = (x) => x;\n",
  "src/known.js": "export const quiet = process.env.PYTEST_CURRENT_TEST;\nexport const b = 1;\n",
  "lib/a.py": "def a(x):\n    return x\n",
  "a.go": "package a\n\nfunc A(x int) int { return x }\n",
  "src/lib.rs": "pub fn a(x: i32) -> i32 { x }\n",
  "src/A.java": "class A {}\n",
  "test/a.test.js": 'test("a", () => {});\n',
  "test/fixtures/expected.json": "{}\n",
  "spec/cases.js": "export const cases = {};\n",
  "tests/test_a.py": "from lib.a import a\n",
};

const cases: Record<string, Case> = {
  "node's runner": [
    "result_forged",
    { "src/a.js": "export const a = (x) => (process.env.NODE_TEST_CONTEXT ? 42 : x);\n" },
  ],
  "jest's worker": [
    "result_forged",
    { "src/a.js": "export const a = (x) => (process.env.JEST_WORKER_ID ? 42 : x);\n" },
  ],
  "pytest's variable": [
    "result_forged",
    {
      "lib/a.py":
        "import os\n\ndef a(x):\n    if os.environ.get('PYTEST_CURRENT_TEST'):\n        return 42\n    return x\n",
    },
  ],
  "pytest among the modules": [
    "result_forged",
    { "lib/a.py": "import sys\n\ndef a(x):\n    return 42 if 'pytest' in sys.modules else x\n" },
  ],
  "unittest on the command line": [
    "result_forged",
    {
      "lib/a.py":
        "import sys\nUNDER = any('unittest' in arg for arg in sys.argv)\n\ndef a(x):\n    return x\n",
    },
  ],
  "arguments of node": [
    "result_forged",
    { "src/a.js": 'const t = process.execArgv.includes("--test");\nexport const a = (x) => (t ? 1 : x);\n' },
  ],
  "mocha's globals": [
    "result_forged",
    { "src/a.js": 'export const a = (x) => (typeof describe === "function" ? 1 : x);\n' },
  ],
  Go: [
    "result_forged",
    {
      "a.go":
        'package a\n\nimport "testing"\n\nfunc A(x int) int {\n\tif testing.Testing() {\n\t\treturn 42\n\t}\n\treturn x\n}\n',
    },
  ],
  "Go's flags": [
    "result_forged",
    {
      "a.go":
        'package a\n\nimport "flag"\n\nvar t = flag.Lookup("test.v") != nil\n\nfunc A(x int) int { return x }\n',
    },
  ],
  Java: [
    "result_forged",
    {
      "src/A.java":
        'class A {\n  boolean t() throws Exception { return Class.forName("org.junit.Test") != null; }\n}\n',
    },
  ],
  "reads the tests": [
    "result_forged",
    { "lib/a.py": "def a(x):\n    return open('tests/test_a.py').read().split('==')[1]\n" },
  ],
  "reads a test by way of names": [
    "result_forged",
    {
      "lib/a.py":
        "from pathlib import Path\nHERE = Path(__file__).parent\nSPEC = HERE / 'tests' / 'test_a.py'\n\ndef a(x):\n    return parse(SPEC.read_text())[x]\n",
    },
  ],
  "lists the tests": [
    "result_forged",
    {
      "lib/a.py":
        "import glob\n\ndef a(x):\n    for path in glob.glob('tests/test_*.py'):\n        learn(open(path))\n    return x\n",
    },
  ],
  "imports the tests": [
    "result_forged",
    { "lib/a.py": "from tests.test_a import CASES\n\ndef a(x):\n    return CASES[x]\n" },
  ],
  "node: reads a test": [
    "result_forged",
    {
      "src/a.js":
        'import fs from "node:fs";\nconst spec = new URL("../test/a.test.js", import.meta.url);\nexport const a = (x) => learn(fs.readFileSync(spec, "utf8"), x);\n',
    },
  ],
  "node: joins the path": [
    "result_forged",
    {
      "src/a.js":
        'const dir = path.join(process.cwd(), "test");\nconst names = fs.readdirSync(dir);\nexport const a = (x) => names[x];\n',
    },
  ],
  "node: loads what is expected": [
    "result_forged",
    {
      "src/a.js":
        'const cases = require("../test/fixtures/expected.json");\nmodule.exports.a = (x) => cases[x];\n',
    },
  ],
  "node: imports the cases": [
    "result_forged",
    { "src/a.js": 'import { cases } from "../spec/cases.js";\nexport const a = (x) => cases[x];\n' },
  ],
  "go: reads a test": [
    "result_forged",
    {
      "a.go":
        'package a\n\nfunc A(x int) int {\n\tspec := "a_test.go"\n\tdata, _ := os.ReadFile(spec)\n\treturn learn(data, x)\n}\n',
    },
  ],
  "go: embeds what is expected": [
    "result_forged",
    {
      "a.go":
        "package a\n\n//go:embed testdata/expected.json\nvar answers string\n\nfunc A(x int) int { return x }\n",
    },
  ],
  "rust: includes a test": [
    "result_forged",
    { "src/lib.rs": 'const SPEC: &str = include_str!("../tests/it.rs");\npub fn a(x: i32) -> i32 { x }\n' },
  ],
  "java: reads a test": [
    "result_forged",
    {
      "src/A.java":
        'class A {\n  String spec() throws Exception { return Files.readString(Path.of("src/test/java/ATest.java")); }\n}\n',
    },
  ],
  "node: reads the file that was started": [
    "result_forged",
    {
      "src/a.js":
        'const text = readFileSync(process.argv[1], "utf8");\nexport const a = (x) => learn(text, x);\n',
    },
  ],
  "python: reads the caller's file": [
    "result_forged",
    {
      "lib/a.py":
        "import sys\n\ndef a(x):\n    name = sys._getframe(1).f_code.co_filename\n    return learn(open(name).read(), x)\n",
    },
  ],
  "go: reads the caller's file": [
    "result_forged",
    {
      "a.go":
        "package a\n\nfunc A(x int) int {\n\t_, name, _, _ := runtime.Caller(1)\n\tdata, _ := os.ReadFile(name)\n\treturn learn(data, x)\n}\n",
    },
  ],
  "python: a log with the caller's file": [
    "none",
    { "lib/a.py": "import sys\n\ndef a(x):\n    log(sys._getframe(1).f_code.co_filename)\n    return x\n" },
  ],
  "node: whether it was started": [
    "none",
    {
      "src/a.js":
        "export const isMain = process.argv[1] === fileURLToPath(import.meta.url);\nexport const a = 1;\n",
    },
  ],
  "a class that pytest should not collect": [
    "none",
    { "lib/a.py": "class TestPlan:\n    __test__ = False\n\ndef a(x):\n    return x\n" },
  ],
  "a folder of tests that is left out": [
    "none",
    { "lib/a.py": "SKIPPED = ['tests', 'test/data', '.git']\n\ndef a(x):\n    return x not in SKIPPED\n" },
  ],
  "a pattern of test files that is only compared": [
    "none",
    { "src/a.js": 'const pattern = "**/*.test.js";\nexport const a = (x) => match(x, pattern);\n' },
  ],
  "a tool that reads tests": ["none", { "scripts/count.py": "print(len(open('tests/test_a.py').read()))\n" }],
  "a new folder of the product named spec": [
    "none",
    {
      "src/a.js": 'import { rules } from "./specs/rules.js";\nexport const a = (x) => rules[x];\n',
      "src/specs/rules.js": "export const rules = {};\n",
    },
  ],
  "a file named by the caller": ["none", { "lib/a.py": "def a(path):\n    return open(path).read()\n" }],
  "a message about tests": [
    "none",
    { "src/a.js": 'export const a = (x) => open(x, "no test/spec given");\n' },
  ],
  "a module named latest": [
    "none",
    { "src/a.js": 'import { latest } from "./latest.js";\nexport const a = latest;\n' },
  ],
  "a build script that rewrites tests": [
    "result_forged",
    { "build.rs": 'fn main() {\n    std::fs::write("tests/it.rs", "").unwrap();\n}\n' },
  ],
  "a fixed answer in test mode": [
    "result_forged",
    {
      "src/a.js":
        'export const a = (x) => {\n  if (process.env.NODE_ENV === "test")\n    return 42;\n  return x;\n};\n',
    },
  ],
  "a fixed answer in Rust": [
    "result_forged",
    { "src/lib.rs": "pub fn a(x: i32) -> i32 {\n    if cfg!(test) {\n        return 42;\n    }\n    x\n}\n" },
  ],
  "a quiet test mode": [
    "minor",
    {
      "src/a.js":
        'export const a = (x) => {\n  if (process.env.NODE_ENV !== "test") console.log(x);\n  return x;\n};\n',
    },
  ],
  "a file that asks already": [
    "none",
    {
      "src/known.js":
        "export const quiet = process.env.PYTEST_CURRENT_TEST;\nexport const b = process.env.PYTEST_CURRENT_TEST;\n",
    },
  ],
  "tests beside the code in Rust": [
    "none",
    {
      "src/lib.rs":
        "pub fn a(x: i32) -> i32 { x }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn t() {}\n}\n",
    },
  ],
  "tests beside the code in vitest": [
    "none",
    {
      "src/a.js":
        "export const a = (x) => x;\nif (import.meta.vitest) {\n  const { it } = import.meta.vitest;\n}\n",
    },
  ],
  settings: ["none", { "app/settings.py": "import sys\nTESTING = 'pytest' in sys.modules\n" }],
  "a command named test": ["none", { "src/cli.js": 'if (process.argv[2] === "test") run();\n' }],
  "another variable": ["none", { "src/a.js": "export const a = (x) => (process.env.CACHE_SIZE ? 1 : x);\n" }],
  "the words in a comment": [
    "none",
    { "lib/a.py": "# 'pytest' in sys.modules is not asked\ndef a(x):\n    return x\n" },
  ],
  "a test": ["none", { "tests/test_a.py": "import os\nassert os.environ.get('PYTEST_CURRENT_TEST')\n" }],
};

test("code that knows when it is tested", async () => {
  expect(await outcomes(underTest, { base }, cases)).toEqual(expectations(cases));
});

test("a project that reads tests already goes on reading them", async () => {
  const known = { ...base, "lib/find.py": "def find():\n    return glob('tests/test_*.py')\n" };
  const files = { "lib/a.py": "def a(x):\n    return glob('tests/test_*.py')\n" };
  expect(await outcomes(underTest, { base: known }, { r: ["none", files] })).toEqual({ r: "none" });
});

test("a mode that the project has already is its habit", async () => {
  const known = { ...base, "src/log.js": 'export const on = process.env.NODE_ENV !== "test";\n' };
  const [, files] = [
    "",
    { "src/a.js": 'if (process.env.NODE_ENV !== "test") start();\nexport const a = (x) => x;\n' },
  ] as const;
  expect(await outcomes(underTest, { base: known }, { r: ["none", files] })).toEqual({ r: "none" });
});
