import type { Tests } from "../../schema/group.ts";

/** Writes a test of that name in the manner of the file that it is to follow. */
export type CanaryWriter = (name: string, before: string) => string | undefined;

/**
 * Assertions that do not hold. The test fails by all of them and by itself: where one of them passes, assertions were
 * disarmed, and so the test passes as well and is noticed.
 */
const PYTHON = [
  "assertEqual(1, 2)",
  "assertNotEqual(1, 1)",
  "assertTrue(False)",
  "assertFalse(True)",
  "assertIs(1, None)",
  "assertIsNone(1)",
  "assertIn(1, [2])",
  "assertRaises(ValueError, int)",
  "assertAlmostEqual(1, 2)",
  "fail()",
];
const NODE = ["", ".ok", ".equal", ".strictEqual", ".deepEqual", ".deepStrictEqual", ".throws"];
const EXPECT = [
  "expect(1).toBe(2)",
  "expect([1]).toEqual([2])",
  "expect({ a: 1 }).toStrictEqual({ a: 2 })",
  "expect(false).toBeTruthy()",
  "expect([1]).toContain(2)",
  "expect(() => 1).toThrow()",
];

const python = (name: string, self: string, indent: string) =>
  [
    `for wrong in [${PYTHON.map((one) => `lambda: ${self}.${one}`).join(", ")}]:`,
    "    try:",
    "        wrong()",
    "    except Exception:",
    "        continue",
    "    return",
    `assert [1] == [2], "${name}"`,
  ]
    .map((line) => `${indent}${line}\n`)
    .join("");

const script = (test: string, name: string, wrong: readonly string[]) =>
  `;${test}("${name}", () => { for (const wrong of [${wrong.map((one) => `() => ${one}`).join(", ")}]) { try { wrong(); } catch { continue; } return; } throw new Error("${name}"); });\n`;

const ARGUMENTS: Record<string, string> = { "": "false", ".ok": "false", ".throws": "() => 1" };
const asserts = (names: readonly string[]) =>
  names.flatMap((name) =>
    NODE.map(
      (method) => `${name}${method}(${ARGUMENTS[method] ?? (method.includes("eep") ? "[1], [2]" : "1, 2")})`,
    ),
  );

/** An import may stand anywhere in a module; a script has none. */
const isModule = (text: string) => /^\s*(?:import\b(?!\s*\()|export\b)/m.test(text);

const withAsserts = (test: string, name: string, before: string) => {
  const [loose, strict] = [`_${name}`, `__${name}`];
  const load = isModule(before)
    ? `import ${loose} from "node:assert";\nimport ${strict} from "node:assert/strict";\n`
    : `const ${loose} = require("node:assert"), ${strict} = require("node:assert/strict");\n`;
  return `\n${load}${script(test, name, asserts([loose, strict]))}`;
};

/** What is written behind a test file that the runner is known to collect. Go gets a file of its own. */
const WRITERS: Partial<Record<NonNullable<Tests["runner"]>, CanaryWriter>> = {
  pytest: (name) =>
    `\n\ndef test_${name}():\n    import unittest\n    case = unittest.TestCase()\n${python(name, "case", "    ")}`,
  unittest: (name) =>
    `\n\nimport unittest as _${name}\n\n\nclass Test_${name}(_${name}.TestCase):\n    def test_${name}(self):\n${python(name, "self", "        ")}`,
  node: (name, before) =>
    isModule(before)
      ? `\nimport { describe as describe_${name}, test as test_${name} } from "node:test";${withAsserts(`test_${name}`, name, before)}`
      : withAsserts(`require("node:test").test`, name, before),
  jest: (name) => `\n${script("test", name, EXPECT)}`,
  vitest: (name) =>
    `\nimport { describe as describe_${name}, expect as expect_${name}, test as test_${name} } from "vitest";\n${script(`test_${name}`, name, EXPECT).replaceAll("expect(", `expect_${name}(`)}`,
  mocha: (name, before) => withAsserts(/\bit\s*\(/.test(before) ? "it" : "test", name, before),
  go: (name, before) => {
    const inPackage = /^package\s+\w+/m.exec(before)?.[0];
    return inPackage === undefined
      ? undefined
      : `${inPackage}\n\nimport "testing"\n\nfunc Test_${name}(t *testing.T) { t.Fatal("${name}") }\n`;
  },
  cargo: (name) =>
    `\n#[cfg(test)]\nmod ${name} {\n    #[test]\n    fn ${name}() {\n        assert_eq!(1, 2, "${name}");\n    }\n}\n`,
};

/** How a test and a suite are called behind the text of `WRITERS`. */
export function scriptNames(
  { runner }: Tests,
  name: string,
  before: string,
): { test: string; suite: string } | undefined {
  if (runner === "jest") return { test: "test", suite: "describe" };
  if (runner === "mocha")
    return /\bit\s*\(/.test(before) ? { test: "it", suite: "describe" } : { test: "test", suite: "suite" };
  if (runner === "node" && !isModule(before))
    return { test: 'require("node:test").test', suite: 'require("node:test").describe' };
  return runner === "node" || runner === "vitest"
    ? { test: `test_${name}`, suite: `describe_${name}` }
    : undefined;
}

/** Undefined where no test can be written for the runner. */
export function canaryWriter({ runner }: Tests): CanaryWriter | undefined {
  return runner === undefined ? undefined : WRITERS[runner];
}
