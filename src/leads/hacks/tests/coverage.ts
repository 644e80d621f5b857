import type { Workspace } from "../../../workspace/types.ts";
import { shellCommands } from "../shell.ts";
import { testScriptOf } from "../test-commands.ts";

/** Runners, and whether they run every test when no path is given. */
const RUNS_ALL =
  /\b(pytest|py\.test|unittest|tox|nox|jest|vitest|mocha|ava|rspec|phpunit|ctest|nose2?|trial|manage\.py)\b|\b(npm|yarn|pnpm|bun|deno|cargo|dotnet|swift|bazel|mix|sbt|rake|hatch)\s+(run\s+)?(test|t|nextest)\b|\bgo\s+test\b|\bnode\s+(\S+\s+){0,8}--test\b|\b(mvnw?|gradlew?)\b.*|\bmake\s+(test|check)\b/;

/** Operands after these are values, not paths. */
const TAKES_VALUE =
  /^(-k|-m|-p|-c|-n|-t|-o|-W|--top-level-directory|--config|--reporter|--timeout|--grep|-g|-r|--require|-run)$/;

/** The operand after these is the folder to search. */
const STARTS_AT = /^(-s|--start-directory|--dir|--rootDir)$/;

/** The group's test command; of `npm test` and its like what the base's script says. */
export async function testCommand(workspace: Workspace): Promise<string | undefined> {
  const command = workspace.testCommand;
  if (command === undefined || !/\b(npm|yarn|pnpm|bun)\s+(run\s+)?(test|t)\b/.test(command)) return command;
  const text = await workspace.store.readText(workspace.base, "package.json", 1 << 20);
  const script = text
    ?.split("\n")
    .map(testScriptOf)
    .find((one) => one !== undefined);
  return script ?? command;
}

/**
 * Whether a group's test command runs a file of the repository, as far as the command tells: the file or a folder above
 * it is named, or nothing is and the runner takes all.
 */
export function isRun(command: string | undefined, path: string): boolean {
  if (command === undefined) return false;
  return shellCommands(command).some(({ words }) => {
    const text = words.join(" ");
    const runner = RUNS_ALL.exec(text);
    const after = runner === null ? words.slice(1) : text.slice(runner.index + runner[0].length).split(" ");
    const operands = after.filter(
      (word, index) => word !== "" && !word.startsWith("-") && !TAKES_VALUE.test(after[index - 1] ?? ""),
    );
    const folders = operands.map(toFolder);
    if (folders.some((given) => given === "" || given === path || path.startsWith(`${given}/`))) return true;
    const starts = after.some((word) => STARTS_AT.test(word));
    return runner !== null && !starts && !operands.some(isPath);
  });
}

/** `./tests/a.py::T::x` is `tests/a.py`; of a pattern the part before its first wildcard counts. */
function toFolder(word: string): string {
  const plain = (word.split("::")[0] ?? "")
    .replace(/^\.\//, "")
    .replace(/\/?\.\.\.$/, "")
    .replace(/\/+$/, "");
  const star = plain.search(/[*?[{]/);
  if (star !== -1) return plain.slice(0, plain.lastIndexOf("/", star) + 1).replace(/\/$/, "");
  return plain === "." ? "" : plain;
}

function isPath(word: string): boolean {
  return word.includes("/") || /\.\w+$/.test(word) || /^(tests?|specs?|__tests__)$/.test(word);
}
