// Mutation check: `node scripts/mutants.mjs FOLDER...`, for example src/evals/metrics or src/redistribute.
// StrykerJS changes the code of each folder in small ways and runs the tests that mirror it (src/x -> test/x). A change
// that no test notices and no type refuses must be listed in mutants-equivalent.json with the reason why it is none;
// with any other survivor this ends with status 1.
// StrykerJS is no dependency of the project: the first run installs it into out/mutants, beside a copy of the project.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const STRYKER = "9.6.1";
const TYPES = ["-p", "tsconfig.types.json"];
const root = fileURLToPath(new URL("..", import.meta.url));
const work = join(root, "out/mutants");
const targets = process.argv.slice(2).map((target) => target.replace(/\/$/, ""));
if (
  targets.length === 0 ||
  !targets.every((target) => target.startsWith("src/") && existsSync(join(root, target)))
) {
  console.error("usage: node scripts/mutants.mjs FOLDER...   folders or files below src");
  process.exit(2);
}

const listed = JSON.parse(readFileSync(new URL("mutants-equivalent.json", import.meta.url), "utf8"));
prepare();
run("node_modules/.bin/stryker", ["run", "stryker.json"]);
const mutants = Object.entries(readJson("report.json").files).flatMap(([file, { source, mutants }]) =>
  mutants.map((mutant) => ({ ...describe(file, source, mutant), file, source, mutant })),
);
const unnoticed = mutants.filter(({ mutant }) => ["Survived", "NoCoverage"].includes(mutant.status));
const compiled = unnoticed.filter((each) => !refusedByTypes(each));
const equivalent = compiled.filter((each) => listed.some((entry) => isSame(entry, each)));
const survivors = compiled.filter((each) => !equivalent.includes(each));

for (const { file, line, code, from, to, mutant } of survivors)
  console.log(`SURVIVED ${file}:${line} ${mutant.mutatorName}\n  ${code}\n  ${from}  ->  ${to}`);
for (const entry of listed)
  if (mutants.some(({ file }) => file === entry.file) && !compiled.some((each) => isSame(entry, each)))
    console.log(`listed as equivalent and not found: ${JSON.stringify(entry)}`);
console.log(
  `${mutants.length} mutants: ${mutants.length - unnoticed.length} noticed by tests, ` +
    `${unnoticed.length - compiled.length} refused by types, ${equivalent.length} equivalent, ${survivors.length} survived`,
);
process.exit(survivors.length === 0 ? 0 : 1);

/** A copy of the project that may be changed, with StrykerJS and a configuration for the targets. */
function prepare() {
  mkdirSync(work, { recursive: true });
  for (const name of ["src", "test", "schemas", "package.json", "tsconfig.json"]) {
    rmSync(join(work, name), { recursive: true, force: true });
    cpSync(join(root, name), join(work, name), { recursive: true });
  }
  if (!existsSync(join(work, "node_modules/@stryker-mutator/vitest-runner"))) {
    cpSync(join(root, "node_modules"), join(work, "node_modules"), {
      recursive: true,
      verbatimSymlinks: true,
    });
    const packages = ["core", "vitest-runner"].map((name) => `@stryker-mutator/${name}@${STRYKER}`);
    // Its peers name older versions than the project's; they work all the same.
    run("npm", ["install", "--no-save", "--ignore-scripts", "--legacy-peer-deps", ...packages]);
  }
  writeJson("tsconfig.types.json", { extends: "./tsconfig.json", include: ["src"] });
  // What does not compile as it is would make every survivor look refused by types.
  run("node_modules/.bin/tsc", TYPES);
  writeFileSync(
    join(work, "vitest.mutants.config.mjs"),
    `export default { test: { include: ${JSON.stringify(targets.map(testsOf))}, testTimeout: 60_000 } };\n`,
  );
  writeJson("stryker.json", {
    testRunner: "vitest",
    plugins: ["@stryker-mutator/vitest-runner"],
    vitest: { configFile: "vitest.mutants.config.mjs" },
    // StrykerJS rewrites a tsconfig with TypeScript's old interface, which TypeScript 7 has no more: it gets none.
    tsconfigFile: "none.json",
    mutate: targets.map((target) => (target.endsWith(".ts") ? target : `${target}/**/*.ts`)),
    reporters: ["json", "progress-append-only"],
    jsonReporter: { fileName: "report.json" },
    concurrency: 2,
    coverageAnalysis: "perTest",
    timeoutMS: 20_000,
  });
}

/** The tests that mirror a folder; of a file those of its folder. */
function testsOf(target) {
  const folder = target.endsWith(".ts") ? dirname(target) : target;
  return `${folder.replace(/^src/, "test")}/**/*.test.ts`;
}

/** The changed text, and the line it stands in, by which a list can name a mutant whatever moves around it. */
function describe(file, source, { location: { start, end }, replacement }) {
  const lines = source.split("\n");
  const from = lines
    .slice(start.line - 1, end.line)
    .map((text, index, all) => {
      const last = index === all.length - 1 ? end.column - 1 : undefined;
      return text.slice(index === 0 ? start.column - 1 : 0, last);
    })
    .join("\n");
  return { file, line: start.line, code: lines[start.line - 1].trim(), from, to: replacement };
}

function isSame(entry, mutant) {
  return ["file", "code", "from", "to"].every((key) => entry[key] === mutant[key]);
}

/** Whether the compiler refuses the mutant, as `npm run check` would. */
function refusedByTypes({ file, source, mutant: { location, replacement } }) {
  const at = ({ line, column }) =>
    source
      .split("\n")
      .slice(0, line - 1)
      .reduce((total, text) => total + text.length + 1, column - 1);
  writeFileSync(
    join(work, file),
    source.slice(0, at(location.start)) + replacement + source.slice(at(location.end)),
  );
  const { status } = spawnSync("node_modules/.bin/tsc", TYPES, { cwd: work });
  writeFileSync(join(work, file), source);
  return status !== 0;
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: work, stdio: "inherit" });
  if (status === 0) return;
  console.error(`${command} ${args.join(" ")} failed: ${error ?? `status ${status}`}`);
  process.exit(2);
}

function readJson(name) {
  return JSON.parse(readFileSync(join(work, name), "utf8"));
}

function writeJson(name, value) {
  writeFileSync(join(work, name), `${JSON.stringify(value, null, 2)}\n`);
}
