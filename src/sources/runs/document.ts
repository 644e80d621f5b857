import {
  type InstanceVerdict,
  instanceOf,
  patchOf,
  readCtrf,
  readFlatResults,
  readInstanceReport,
  readMultiReport,
  readRunReport,
  readTestList,
  readTrialResult,
} from "../results/index.ts";
import { asList, asString, dig, firstText, isObject, type JsonObject, optional } from "../shape.ts";
import type { Piece } from "./piece.ts";

/** Where a document was found. */
export interface DocumentPlace {
  path: string;
  /** Relative to the input. */
  file: string;
  run: string;
  /** The instance that the place names, for documents that name none. */
  inside: string;
}

/** True for a document that is the record of one agent: what its readers tell apart later. */
export function isTrajectory(value: unknown): boolean {
  if (Array.isArray(value))
    return value.some((item) =>
      ["role", "kind", "action", "observation"].some((key) => dig(item, key) !== undefined),
    );
  if (!isObject(value)) return false;
  return (
    (asString(value["schema_version"]) ?? "").startsWith("ATIF-v") ||
    asString(value["trajectory_format"]) !== undefined ||
    (Array.isArray(value["trajectory"]) && (isObject(value["info"]) || Array.isArray(value["history"]))) ||
    asList(value["messages"]).some((message) => dig(message, "role") !== undefined)
  );
}

/** The pieces of a parsed document: predictions, or verdicts of any kind that is known. None when it is neither. */
export function documentPieces(value: unknown, place: DocumentPlace): Piece[] {
  const records = recordPieces(value, place);
  if (records.length > 0) return records;
  return verdictsOf(value).map(({ instance = place.inside, verdict }) => ({
    run: place.run,
    instance,
    attempt: "",
    source: place.path,
    of: "swebench",
    part: { kind: "verdict", verdict: { ...verdict, file: place.file } },
  }));
}

/** Predictions stay in memory: patches without anything else. */
function recordPieces(value: unknown, { path, run }: DocumentPlace): Piece[] {
  const single = isObject(value) && instanceOf(value) !== undefined ? [value] : undefined;
  const entries: [string | undefined, unknown][] =
    single !== undefined
      ? [[undefined, value]]
      : Array.isArray(value)
        ? value.map((item) => [undefined, item])
        : isObject(value)
          ? Object.entries(value)
          : [];
  const seen = new Map<string, number>();
  return entries.flatMap(([key, item]) => {
    if (!isObject(item)) return [];
    const instance = instanceOf(item) ?? key;
    const isPrediction = patchOf(item) !== undefined || item["model_name_or_path"] !== undefined;
    if (instance === undefined || !isPrediction) return [];
    const nth = (seen.get(instance) ?? 0) + 1;
    seen.set(instance, nth);
    const record: JsonObject = item;
    return [
      {
        run,
        instance,
        attempt: nth === 1 ? "" : String(nth),
        source: path,
        of: "swebench" as const,
        part: { kind: "record" as const, read: async () => record, hasTrajectory: false },
        ...optional("model", firstText(record["model_name_or_path"])),
      },
    ];
  });
}

function verdictsOf(value: unknown): InstanceVerdict[] {
  const whole =
    readInstanceReport(value) ?? readMultiReport(value) ?? readRunReport(value) ?? readFlatResults(value);
  if (whole !== undefined) return whole;
  const verdict = readCtrf(value) ?? readTestList(value) ?? readTrialResult(value)?.verdict;
  return verdict === undefined ? [] : [{ verdict }];
}
