/** A command that runs tests. */
export const RUNS_TESTS =
  /\b(pytest|py\.test|unittest|tox|nox|jest|vitest|mocha|ava|karma|jasmine|nyc|c8|rspec|phpunit|ctest|playwright|cypress)\b|\b(npm|yarn|pnpm|bun|deno|go|cargo|dotnet|swift|bazel|mix|sbt|rake|hatch|poetry run|uv run)\s+(-\S+\s+){0,8}(run\s+)?(test|t|nextest)\b|\bnode\s+(\S+\s+){0,8}--test\b|\b(mvnw?|gradlew?)\b.*\b(test|verify|check)\b|\bmake\s+(\S+\s+){0,8}(test|check)(?![\w-])/;

/** The value of the `test` script on a line of a package.json. */
export function testScriptOf(line: string): string | undefined {
  return /^\s*"test"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(line)?.[1]?.replaceAll('\\"', '"');
}
