import { asList, asString, dig, isObject, type JsonObject, optional } from "../shape.ts";
import { asVerdict, type InstanceVerdict } from "./verdict.ts";

/**
 * SWE-bench `report.json` of instances, with the instance around it or without, or undefined for anything else. Whether
 * the harness says that the patch applied is told and decides nothing: it is false beside `resolved: true` in real runs.
 */
export function readInstanceReport(value: unknown): InstanceVerdict[] | undefined {
  if (!isObject(value)) return undefined;
  if (isReport(value)) return [verdictOf(value)];
  const entries = Object.entries(value);
  if (entries.length === 0 || !entries.every(([, report]) => isReport(report))) return undefined;
  return entries.map(([instance, report]) => ({ instance, ...verdictOf(report) }));
}

function isReport(value: unknown): boolean {
  return (
    dig(value, "resolved") !== undefined &&
    (dig(value, "patch_exists") !== undefined || dig(value, "tests_status") !== undefined)
  );
}

function verdictOf(report: unknown): InstanceVerdict {
  const failed = ["FAIL_TO_PASS", "PASS_TO_PASS"].map((set) => ({
    set,
    failed: asList(dig(report, "tests_status", set, "failure")).length,
    passed: asList(dig(report, "tests_status", set, "success")).length,
  }));
  const counts = failed.map(({ set, failed, passed }) => `${set} ${passed} of ${passed + failed}`).join(", ");
  const applied = dig(report, "patch_successfully_applied") === false ? "; patch not applied" : "";
  const tests = dig(report, "tests_status") === undefined ? "" : counts;
  const detail = `${tests}${applied}`.replace(/^; /, "");
  return {
    verdict: {
      source: "report",
      passed: asVerdict(dig(report, "resolved")),
      ...optional("detail", detail === "" ? undefined : detail),
    },
  };
}

/** Names of the lists of a run-level report, and what being in one means. Null: it was submitted and not judged. */
const LISTS: readonly { keys: readonly string[]; passed: boolean | null; detail?: string }[] = [
  { keys: ["resolved_ids", "ids_resolved", "resolved"], passed: true },
  { keys: ["unresolved_ids", "ids_unresolved", "unresolved"], passed: false },
  { keys: ["empty_patch_ids"], passed: false, detail: "empty patch" },
  { keys: ["error_ids"], passed: null, detail: "error in the evaluation" },
];

/**
 * A report over a whole run (`resolved_ids` and its like), or undefined for anything else. Instances that no list names
 * are not in the answer: not to be named is not to have failed.
 */
export function readRunReport(value: unknown): InstanceVerdict[] | undefined {
  if (!isObject(value)) return undefined;
  const root: JsonObject = isObject(value["resolved"]) ? value["resolved"] : value;
  const named = new Map<string, InstanceVerdict>();
  for (const { keys, passed, detail } of LISTS)
    for (const key of keys)
      for (const id of asList(root[key])) {
        const instance = asString(id);
        if (instance === undefined || named.has(plainId(instance))) continue;
        const verdict = { source: "run_report" as const, passed, ...optional("detail", detail) };
        named.set(plainId(instance), { instance: plainId(instance), verdict });
      }
  return named.size === 0 ? undefined : [...named.values()];
}

/** Multi-SWE-bench lists `org/repo:pr-7` where its records give org, repo and number. */
function plainId(id: string): string {
  const match = /^([\w.-]+)\/([\w.-]+):pr-(\d+)$/.exec(id);
  return match === null ? id : `${match[1]}__${match[2]}-${match[3]}`;
}

/** SWE-bench Pro `eval_results.json`: `{instance: true|false}` and nothing else, or undefined. */
export function readFlatResults(value: unknown): InstanceVerdict[] | undefined {
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value);
  const isFlat = entries.every(([id, passed]) => id.includes("__") && typeof passed === "boolean");
  if (entries.length === 0 || !isFlat) return undefined;
  return entries.map(([instance, passed]) => ({
    instance,
    verdict: { source: "run_report", passed: asVerdict(passed) },
  }));
}

/** A Multi-SWE-bench report of one pull request: `valid` says whether the fix repairs its tests. */
export function readMultiReport(value: unknown): InstanceVerdict[] | undefined {
  const [org, repo] = [asString(dig(value, "org")), asString(dig(value, "repo"))];
  const number = dig(value, "number");
  if (org === undefined || repo === undefined || dig(value, "valid") === undefined) return undefined;
  const error = asString(dig(value, "error_msg"));
  return [
    {
      instance: `${org}__${repo}-${String(number)}`,
      verdict: {
        source: "report",
        passed: asVerdict(dig(value, "valid")),
        ...optional("detail", error === "" ? undefined : error),
      },
    },
  ];
}
