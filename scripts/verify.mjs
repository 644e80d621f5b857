// Everything that has to hold before a change lands: build, types, lint, format, schemas, all tests. What the tests need
// is started before them and stopped after them (scripts/services.mjs).
// Ends with one line "N passed, N failed" that counts the steps' tests and the other checks.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { readFileSync, rmSync } from "node:fs";
import { startServices } from "./services.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const report = fileURLToPath(new URL("../out/test-report.json", import.meta.url));

const checks = [
  ["build", "tsc", ["-p", "tsconfig.build.json"]],
  ["types", "tsc", ["--noEmit"]],
  ["lint", "oxlint", ["--type-aware", "--deny-warnings"]],
  ["format", "oxfmt", ["--check"]],
  ["schemas", process.execPath, ["scripts/write-schemas.mjs", "--check"]],
];

let passed = 0;
let failed = 0;
let skipped = 0;

function run(name, command, args) {
  console.log(`\n== ${name}`);
  const bin = command === process.execPath ? command : `${root}/node_modules/.bin/${command}`;
  const { status, error } = spawnSync(bin, args, { cwd: root, stdio: "inherit" });
  if (error !== undefined) console.error(String(error));
  return status === 0;
}

for (const [name, command, args] of checks)
  if (run(name, command, args)) passed += 1;
  else failed += 1;

console.log("\n== services");
const services = await startServices().catch((error) => {
  console.error(error);
  failed += 1;
});
rmSync(report, { force: true });
const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
const tests = run("tests", "vitest", ["run", ...reporters]);
await services?.stop();
try {
  const result = JSON.parse(readFileSync(report, "utf8"));
  passed += result.numPassedTests;
  failed += result.numFailedTests;
  skipped += result.numPendingTests + result.numTodoTests;
  // A file that does not load has no tests to fail.
  if (!tests && result.numFailedTests === 0) failed += 1;
} catch {
  failed += 1;
}

console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} SKIPPED` : ""}`);
process.exit(failed === 0 ? 0 : 1);
