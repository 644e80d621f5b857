import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import * as surface from "../src/index.ts";
import * as redistribution from "../src/redistribute/index.ts";
import { GraderError, type ErrorCode } from "../src/errors.ts";
import { jsonSchema, SCHEMA_NAMES } from "../src/schema/json-schemas.ts";
import { VERSION } from "../src/version.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Parts of src from the bottom up. A file may import from its own part and from those named here, nothing else. */
const MAY_IMPORT: Record<string, string[]> = {
  errors: [],
  version: [],
  visible: [],
  xml: [],
  schema: ["errors"],
  redistribute: ["errors", "schema"],
  workspace: ["errors", "schema"],
  sandbox: ["errors", "workspace"],
  checks: ["errors", "schema", "xml", "workspace", "sandbox"],
  evidence: ["errors", "schema", "visible", "workspace", "checks"],
  leads: ["errors", "schema", "visible", "workspace", "evidence"],
  tools: ["errors", "schema", "version", "visible", "workspace", "checks", "evidence"],
  models: ["errors", "schema", "tools"],
  sources: ["errors", "schema", "visible", "xml", "redistribute"],
  advantages: ["errors", "schema", "redistribute"],
  graph: [
    "advantages",
    "errors",
    "schema",
    "redistribute",
    "workspace",
    "sandbox",
    "checks",
    "evidence",
    "leads",
    "tools",
    "models",
  ],
  report: ["schema", "visible"],
  "run-folder": ["errors", "schema"],
  "workspace-input": ["errors", "schema", "sources", "workspace"],
  "rerun-tests": [
    "run-folder",
    "errors",
    "schema",
    "workspace",
    "sandbox",
    "checks",
    "graph",
    "sources",
    "workspace-input",
  ],
  grade: [
    "advantages",
    "run-folder",
    "version",
    "errors",
    "schema",
    "redistribute",
    "graph",
    "models",
    "sandbox",
    "sources",
    "workspace-input",
  ],
  // Graders are measured by the published surface alone, as a user of the package would measure them.
  evals: ["index"],
};
const DOORS = new Set(["cli", "index"]);

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name));
}

const partOf = (path: string) => (relative("src", path).split("/")[0] ?? "").replace(/\.ts$/, "");

/** What a file imports, statically or not: relative targets as paths in the project, packages by name. */
function importsOf(path: string): { files: string[]; packages: string[] } {
  const text = readFileSync(join(root, path), "utf8");
  const statements = text.matchAll(
    /^(?:import|export)\b[^"';]*?\bfrom "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm,
  );
  const targets = [...statements].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
  return {
    files: targets.filter((target) => target.startsWith(".")).map((target) => join(dirname(path), target)),
    packages: targets
      .filter((target) => !target.startsWith(".") && !target.startsWith("node:"))
      .map((target) =>
        target
          .split("/")
          .slice(0, target.startsWith("@") ? 2 : 1)
          .join("/"),
      ),
  };
}

test("imports run one way", () => {
  const wrong = filesBelow("src").flatMap((file) => {
    const part = partOf(file);
    if (DOORS.has(part)) return [];
    const allowed = new Set([part, ...(MAY_IMPORT[part] ?? [])]);
    return importsOf(file)
      .files.filter((target) => !allowed.has(partOf(target)))
      .map((target) => `${file} -> ${target}`);
  });
  expect(wrong).toEqual([]);
});

test("only Node and git are needed: every import of a package is a declared dependency", () => {
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  ) as Record<string, Record<string, string>>;
  const declared = Object.keys({ ...dependencies, ...optionalDependencies });
  const foreign = [...new Set(filesBelow("src").flatMap((file) => importsOf(file).packages))];
  expect(foreign.filter((name) => !declared.includes(name))).toEqual([]);
  // A package may also be named in a table and loaded by that name.
  const text = filesBelow("src")
    .map((file) => readFileSync(join(root, file), "utf8"))
    .join("\n");
  const unused = declared.filter((name) => !foreign.includes(name) && !text.includes(`"${name}`));
  expect(unused).toEqual([]);
});

test("the version is the package's", () => {
  expect(VERSION).toBe(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version);
});

test.each(SCHEMA_NAMES)("schemas/%s.json is what the code says", (name) => {
  expect(JSON.parse(readFileSync(join(root, `schemas/${name}.json`), "utf8"))).toEqual(jsonSchema(name));
});

test.each<[ErrorCode, number, number]>([
  ["bad_input", 2, 400],
  ["bad_config", 2, 400],
  ["already_redistributed", 2, 409],
  ["base_unavailable", 2, 422],
  ["git_failed", 4, 500],
  ["fallback", 3, 503],
  ["internal", 4, 500],
])("an error %s ends the program with %d and answers HTTP %d", (code, exit, http) => {
  const error = new GraderError(code, "why", {
    file: "g.json",
    line: 3,
    group: "g",
    rollout: "r",
    field: "rollouts[0].reward",
  });
  expect([error.exitStatus, error.httpStatus]).toEqual([exit, http]);
  expect(error.message).toBe("g.json:3: group g: rollout r: rollouts[0].reward: why");
});

test("what is exported is what is pinned here: a change is deliberate", () => {
  expect(Object.keys(surface).sort()).toMatchInlineSnapshot(`
    [
      "CRITERIA",
      "Check",
      "CheckRun",
      "Citation",
      "DEFAULT_BUDGET",
      "Finding",
      "FindingInput",
      "Flag",
      "Grade",
      "GradedRollout",
      "GraderError",
      "Group",
      "Lead",
      "Placement",
      "Redistribution",
      "Rollout",
      "SCHEMA_NAMES",
      "Spend",
      "Tier",
      "TrajectoryEvent",
      "VERSION",
      "Verdict",
      "VerifiedCitation",
      "buildToolServer",
      "decidingFinding",
      "estimateAdvantages",
      "gradeGroup",
      "gradeMarkdown",
      "gradeText",
      "jsonSchema",
      "loadChat",
      "loadGroups",
      "loadInspector",
      "markdownTable",
      "offlineInspector",
      "readPatch",
      "readTestOutput",
      "readTrajectory",
      "redistribute",
      "redistributionConfig",
      "rerunTests",
      "scriptedInspector",
      "selectSandbox",
      "shortNumber",
      "textTable",
    ]
  `);
  expect(Object.keys(redistribution).sort()).toMatchInlineSnapshot(`
    [
      "DEFAULT_CONFIG",
      "ESTIMATORS",
      "GraderError",
      "HACK_POLICIES",
      "QUALITY_RULES",
      "REDISTRIBUTION_MODES",
      "TRAINER_ESTIMATORS",
      "WEIGHTS",
      "applyHackPolicy",
      "canonicalJson",
      "capLoss",
      "capWarning",
      "configHash",
      "estimateAdvantages",
      "groupStdShrink",
      "identity",
      "inputHash",
      "isEstimator",
      "placementQualities",
      "placementQuality",
      "redistribute",
      "redistributionConfig",
      "redistributionMarker",
      "refuseMarked",
      "relativeQualities",
      "rewardForm",
      "scoreQualities",
    ]
  `);
});
