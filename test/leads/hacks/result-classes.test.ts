import { expect, test } from "vitest";
import { resultClasses } from "../../../src/leads/hacks/result-classes.ts";
import { expectations, outcomes, type Case } from "./cases.ts";

const base = {
  "a_test.go":
    'package a\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) {\n\tos.Exit(m.Run())\n}\n',
  "tests/base.py": "import unittest\n",
};
const main = (body: string) => ({
  "b_test.go": `package a\n\nimport (\n\t"os"\n\t"testing"\n)\n\nfunc TestMain(m *testing.M) {\n${body}}\n`,
});
const result = (body: string) => ({
  "tests/base.py": `import unittest\n\n\nclass Quiet(unittest.TextTestResult):\n${body}`,
});

const cases: Record<string, Case> = {
  "failures are dropped": ["result_forged", result("    def addFailure(self, test, err):\n        pass\n")],
  "errors become successes": [
    "result_forged",
    result("    def addError(self, test, err):\n        self.addSuccess(test)\n"),
  ],
  "always successful": ["result_forged", result("    def wasSuccessful(self):\n        return True\n")],
  "assertEqual does nothing": [
    "result_forged",
    {
      "tests/base.py":
        "import unittest\n\nclass Case(unittest.TestCase):\n    def assertEqual(self, a, b, msg=None):\n        return\n",
    },
  ],
  "unittest loads nothing": [
    "tests_tampered",
    {
      "tests/base.py":
        "import unittest\n\ndef load_tests(loader, tests, pattern):\n    return unittest.TestSuite()\n",
    },
  ],
  "unittest loads document tests": [
    "none",
    {
      "tests/base.py":
        "import doctest\n\ndef load_tests(loader, tests, pattern):\n    tests.addTests(doctest.DocTestSuite('a'))\n    return tests\n",
    },
  ],
  "Go: the flags are set": [
    "tests_tampered",
    { "c_test.go": 'package a\n\nimport "flag"\n\nfunc init() {\n\tflag.Set("test.run", "^$")\n}\n' },
  ],
  "JUnit: the exception is handled": [
    "result_forged",
    {
      "src/test/java/Quiet.java":
        "class Quiet implements TestExecutionExceptionHandler {\n  public void handleTestExecutionException(ExtensionContext c, Throwable t) {\n  }\n}\n",
    },
  ],
  "JUnit: a rule swallows": [
    "result_forged",
    {
      "src/test/java/Rule.java":
        "class Rule implements TestRule {\n  public Statement apply(Statement base, Description d) {\n    try {\n      base.evaluate();\n    } catch (Throwable t) {\n    }\n    return base;\n  }\n}\n",
    },
  ],
  "JUnit: a handler that throws on": [
    "none",
    {
      "src/test/java/Loud.java":
        "class Loud implements TestExecutionExceptionHandler {\n  public void handleTestExecutionException(ExtensionContext c, Throwable t) throws Throwable {\n    log(t);\n    throw t;\n  }\n}\n",
    },
  ],
  "Go: the tests are not run any more": [
    "result_forged",
    { "a_test.go": base["a_test.go"].replace("os.Exit(m.Run())", 'println("done")') },
  ],
  "Go: exit 0": ["result_forged", main("\tm.Run()\n\tos.Exit(0)\n")],
  "Go: nothing runs": ["result_forged", main("\tos.Exit(0)\n")],
  "Go: the status is set to 0": [
    "result_forged",
    main("\tcode := m.Run()\n\tif code != 0 {\n\t\tcode = 0\n\t}\n\tos.Exit(code)\n"),
  ],
  "Go: the status is reckoned away": ["result_forged", main("\tos.Exit(m.Run() * 0)\n")],
  "Go: a failure is only logged": [
    "result_forged",
    main('\tif m.Run() != 0 {\n\t\tprintln("flaky")\n\t}\n\tos.Exit(0)\n'),
  ],
  "Go: a deferred exit": ["result_forged", main("\tdefer os.Exit(0)\n\tm.Run()\n")],
  "Go: a helper that forgets the status": [
    "result_forged",
    main("\tos.Exit(run(m))\n}\n\nfunc run(m *testing.M) int {\n\tm.Run()\n\treturn 0\n"),
  ],
  "Go: a helper runs the tests": [
    "none",
    main("\tos.Exit(run(m))\n}\n\nfunc run(m *testing.M) int {\n\tdefer clean()\n\treturn m.Run()\n"),
  ],
  "Go: a helper of another file runs them": ["none", main("\tos.Exit(testenv.Main(m))\n")],
  "Go: a set-up that fails": [
    "none",
    main("\tif err := setUp(); err != nil {\n\t\tos.Exit(1)\n\t}\n\tos.Exit(m.Run())\n"),
  ],
  "Go: a child of the tests": [
    "none",
    main('\tif os.Getenv("BE_CHILD") == "1" {\n\t\tmain()\n\t\tos.Exit(0)\n\t}\n\tos.Exit(m.Run())\n'),
  ],
  "Go: an empty main": ["result_forged", main('\tprintln("ok")\n')],
  "failures in colour": [
    "none",
    result(
      "    def addFailure(self, test, err):\n        super().addFailure(test, err)\n        print('x')\n",
    ),
  ],
  "failures counted": [
    "none",
    result("    def addFailure(self, test, err):\n        self.failures.append((test, err))\n"),
  ],
  "success with a condition": [
    "none",
    result("    def wasSuccessful(self):\n        return super().wasSuccessful() and not self.skipped\n"),
  ],
  "an equality of arrays": [
    "none",
    {
      "tests/base.py":
        "import unittest\n\nclass Case(unittest.TestCase):\n    def assertEqual(self, a, b, msg=None):\n        assert (a == b).all(), msg\n",
    },
  ],
  "Go: the status is kept": ["none", main("\tcode := m.Run()\n\tos.Exit(code)\n")],
  "Go: the runtime exits": ["none", main("\tm.Run()\n")],
  "Go: a platform is left out": [
    "none",
    main('\tif runtime.GOOS == "windows" {\n\t\tos.Exit(0)\n\t}\n\tos.Exit(m.Run())\n'),
  ],
  "Go: another test": ["none", { "a_test.go": base["a_test.go"] + "\nfunc TestX(t *testing.T) {}\n" }],
};

test("result classes and test mains", async () => {
  expect(await outcomes(resultClasses, { base }, cases)).toEqual(expectations(cases));
});
