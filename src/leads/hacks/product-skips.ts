import { isScript } from "../syntax/language.ts";
import { perRollout } from "../lead.ts";
import { changedFiles, type ChangedFile } from "./changed-files.ts";
import { hack } from "./report.ts";
import { applyRules, type LineRule } from "./rules.ts";

/** Packages that offer tools to tests may skip a test on behalf of one. */
const TEST_TOOLS =
  /(^|[/_.-])(testing|testutils?|test_?helpers?|test_?support|testlib|harness|fixtures?|pytest\w*|unittest\w*)([/_.-]|$)/i;

const product = (file: ChangedFile) => file.diff.class === "source" && !TEST_TOOLS.test(file.diff.path);
/** Without the type, `t.Skip()` may be a method of anything. */
const usesTestingT = (file: ChangedFile) =>
  file.lines.bare.some((line) => /\btesting\.(T|TB|B)\b/.test(line));
const charge = hack("result_forged");
const says = "skips the test that calls it: the test is then reported as skipped and the run as a success.";

const RULES: readonly LineRule[] = [
  {
    says,
    on: "bare",
    applies: (file) => product(file) && file.language === "python",
    pattern:
      /\braise\s+(\w+\.)*(SkipTest|Skipped|SkipException)\b|\bpytest\.(skip|xfail|importorskip|exit)\(|\bself\.skipTest\(|\b_?pytest(\.\w+)*\.Skipped\b/,
    charge,
  },
  {
    says,
    on: "code",
    // A new file that imports the framework is a test that was left in an odd place.
    applies: (file) =>
      product(file) &&
      file.diff.status === "modified" &&
      file.language !== undefined &&
      isScript(file.language),
    pattern:
      /\b(from|require\()\s*["'](node:test|vitest|mocha|@jest\/globals|ava)["']|\bthrow\s+new\s+(\w+\.)?(Pending|PendingError|SkipError)\b/,
    // In-source tests of vitest import it behind this name.
    except: /import\.meta\.vitest/,
    charge,
  },
  {
    says,
    on: "bare",
    applies: (file) => product(file) && file.language === "go" && usesTestingT(file),
    pattern: /\b(t|tb|b)\.(Skip|Skipf|SkipNow)\(/,
    charge,
  },
  {
    says,
    on: "bare",
    applies: (file) => product(file) && (file.language === "java" || file.language === "kotlin"),
    pattern:
      /\bnew\s+(TestAbortedException|AssumptionViolatedException|SkipException)\b|\bAssum(e|ptions)\.\w+\(/,
    charge,
  },
];

/** Library code that skips tests. */
export const productSkips = perRollout(
  "product-skips",
  "product code that raises a skip or pulls in the test framework; packages of test tools are left alone",
  async (rollout, workspace) => applyRules(rollout, await changedFiles(workspace, rollout), RULES),
);
