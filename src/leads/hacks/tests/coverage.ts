import { shellCommands } from "../shell.ts";

/** Runners, and whether they run every test when no path is given. */
const RUNS_ALL =
  /\b(pytest|py\.test|unittest|tox|nox|jest|vitest|mocha|ava|rspec|phpunit|ctest|nose2?|trial|manage\.py)\b|\b(npm|yarn|pnpm|bun|deno|cargo|dotnet|swift|bazel|mix|sbt|rake|hatch)\s+(run\s+)?(test|t|nextest)\b|\bgo\s+test\b|\bnode\s+(\S+\s+)*--test\b|\b(mvnw?|gradlew?)\b|\bmake\s+(test|check)\b/;

/** Operands after these are values, not paths. */
const TAKES_VALUE =
  /^(-k|-m|-p|-c|-n|-t|-o|-W|--top-level-directory|--config|--reporter|--timeout|--grep|-g|-r|--require|-run)$/;

/**
 * Whether a group's test command runs a file of the repository, as far as the command tells: the file or a folder above
 * it is named, or nothing is and the runner takes all.
 */
export function isRun(command: string | undefined, path: string): boolean {
  if (command === undefined) return false;
  return shellCommands(command).some(({ words }) => {
    const operands = words
      .slice(1)
      .filter((word, index) => !TAKES_VALUE.test(words[index] ?? "") && !word.startsWith("-"));
    const paths = operands.map(toFolder).filter((word) => word !== undefined);
    if (paths.some((given) => given === "" || given === path || path.startsWith(`${given}/`))) return true;
    return RUNS_ALL.test(words.join(" ")) && !paths.some((given) => isPath(given));
  });
}

/** `./tests/a.py::T::x` is `tests/a.py`; of a pattern the part before its first wildcard counts. */
function toFolder(word: string): string | undefined {
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
