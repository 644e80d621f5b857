import { asString, dig, firstText, isObject, type JsonObject, optional } from "../shape.ts";

/** A predicted patch. `patch` is null or "" where the file says so, absent where it has no such field. */
export interface Prediction {
  instance: string;
  model?: string;
  patch?: string | null;
}

/**
 * The instance that a record is about: `instance_id`, `instanceId`, or org, repo and number as Multi-SWE-bench names it
 * (`org__repo-number`).
 */
export function instanceOf(record: unknown): string | undefined {
  const given = firstText(
    dig(record, "instance_id"),
    dig(record, "instanceId"),
    dig(record, "instance", "instance_id"),
  );
  if (given !== undefined) return given;
  // OpenHands' resolver keeps the same three in `issue`.
  const issue = dig(record, "issue");
  const place = isObject(issue) ? { ...issue, org: issue["owner"] } : record;
  const [org, repo] = [asString(dig(place, "org")), asString(dig(place, "repo"))];
  const number = dig(place, "number");
  if (org === undefined || repo === undefined) return undefined;
  return typeof number === "string" || typeof number === "number" ? `${org}__${repo}-${number}` : undefined;
}

/**
 * The model's patch in a record, or undefined when no field of it is one. A plain `patch` is the reference solution in
 * rows of data sets; it is the model's only beside a field that a data set has not.
 */
export function patchOf(record: JsonObject): string | null | undefined {
  const own = ["prefix", "traj_id", "trajectory_id", "messages", "model"].some(
    (key) => record[key] !== undefined,
  );
  const gold = record["test_patch"] !== undefined;
  const candidates = [
    record["model_patch"],
    record["modelPatch"],
    record["fix_patch"],
    record["generated_patch"],
    record["output_patch"],
    record["git_patch"],
    dig(record, "test_result", "git_patch"),
    own && !gold ? record["patch"] : undefined,
  ];
  return candidates.find((value): value is string | null => typeof value === "string" || value === null);
}

/**
 * The predictions of a document: a list, an object by instance, or a single one. Undefined when it holds none. An
 * object's key is the instance where the record does not name it.
 */
export function readPredictions(value: unknown): Prediction[] | undefined {
  const single = predictionOf(value, undefined);
  if (single !== undefined) return [single];
  const entries: [string | undefined, unknown][] = Array.isArray(value)
    ? value.map((item) => [undefined, item])
    : isObject(value)
      ? Object.entries(value)
      : [];
  const found = entries.flatMap(([key, item]) => predictionOf(item, key) ?? []);
  return found.length === 0 ? undefined : found;
}

function predictionOf(value: unknown, key: string | undefined): Prediction | undefined {
  if (!isObject(value)) return undefined;
  const instance = instanceOf(value) ?? key;
  const patch = patchOf(value);
  // A prediction without its patch is told from other records by the name of its model.
  const model = firstText(value["model_name_or_path"], value["model"]);
  if (instance === undefined || (patch === undefined && value["model_name_or_path"] === undefined))
    return undefined;
  return { instance, ...optional("model", model), ...optional("patch", patch) };
}
