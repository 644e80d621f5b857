import type { AddedLine, ChangedFile } from "../changed-files.ts";
import { indent } from "../masked-lines.ts";
import { RUNS_TESTS, testScriptOf } from "../test-commands.ts";

/** Files of a test runner alone: every line of them is about tests. */
export const RUNNER_FILE =
  /(^|\/)(\.?pytest\.ini|(jest|vitest|karma|ava|playwright|wdio)\.config\.[cm]?[jt]s(on)?|karma\.conf\.[cm]?[jt]s|vitest\.workspace\.[cm]?[jt]s|node\.config\.json|jasmine\.json|\.mocharc[^/]*|mocha\.opts|\.taprc|\.rspec|\.config\/nextest\.toml)$/;
/** Files that hold commands and settings of many tools. */
export const SHARED_FILE =
  /(^|\/)(pyproject\.toml|tox\.ini|setup\.cfg|noxfile\.py|package\.json|vite\.config\.[cm]?[jt]s|(gnu)?makefile|justfile|pom\.xml|build\.gradle(\.kts)?|\.npmrc|\.env[^/]*|\.cargo\/config(\.toml)?|deno\.jsonc?|bunfig\.toml|\.gitlab-ci\.yml|\.travis\.yml)$|(^|\/)(\.github\/workflows|\.circleci)\/[^/]+$|\.(sh|mk)$/i;
/** Every run goes through these; other commands of such files may be additions. */
const ENVIRONMENT = /\b(PYTEST_ADDOPTS|NODE_OPTIONS|node-options|addopts|GOFLAGS|VITEST_\w+|JEST_\w+)\b/i;
const PYTEST_SECTION = /^\[(tool[:.])?pytest(\.ini_options)?\]/;

/** A setting of the runner, or the command that runs the tests; another script that runs a part of them is an addition. */
export function isAboutTests(file: ChangedFile, line: AddedLine): boolean {
  const { path } = file.diff;
  if (RUNNER_FILE.test(path) || ENVIRONMENT.test(line.code)) return true;
  const section = file.lines.code
    .slice(0, line.number)
    .findLast((text) => /^\s*\[/.test(text) && !text.includes("="));
  if (section !== undefined && PYTEST_SECTION.test(section.trim())) return true;
  if (!RUNS_TESTS.test(line.code)) return isInTestBlock(file, line);
  const name = path.endsWith("package.json") ? /^\s*"([\w:.-]+)"\s*:/.exec(line.code)?.[1] : undefined;
  return (
    name === undefined ||
    name === "test" ||
    file.lines.code.some((text) => testScriptOf(text)?.includes(` ${name}`))
  );
}

/** Inside the settings of a test runner that a file shares with other tools. */
export function isInTestBlock(file: ChangedFile, line: AddedLine): boolean {
  const above = file.lines.code.slice(0, line.number - 1);
  const depth = indent(line.code);
  const opener = above.findLast((text) => text.trim() !== "" && indent(text) < depth) ?? "";
  return /^\s*["']?(test|jest|mocha|vitest|ava|tap)["']?\s*[:=]\s*\{/.test(opener);
}
