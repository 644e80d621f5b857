import { GraderError } from "../errors.ts";
import { DEFAULT_LIMITS, type Limits } from "./types.ts";

/** Names that people give to limits, and whether they are sizes, counts or parts of a processor. */
const NAMES: Record<string, [key: keyof Limits, kind: "size" | "count" | "share"]> = {
  memory: ["memory_bytes", "size"],
  cpus: ["cpus", "share"],
  pids: ["pids", "count"],
  work: ["work_bytes", "size"],
  files: ["work_files", "count"],
  temp: ["temp_bytes", "size"],
  input: ["input_bytes", "size"],
  "input-files": ["input_files", "count"],
  "file-size": ["file_bytes", "size"],
  "open-files": ["open_files", "count"],
  output: ["output_bytes", "size"],
};

export const LIMIT_NAMES = Object.keys(NAMES);

const FOLDERS = ["input_bytes", "work_bytes", "temp_bytes"] as const;
const MIB = 1024 * 1024;
const LEAST_MEMORY = 64 * MIB;
/** Share of the memory that full folders may take, and what is left to processes at the least when it is not given. */
const FOLDERS_SHARE = 0.625;
const UNITS: Record<string, number> = { "": 1, k: 1024, m: MIB, g: 1024 * MIB };

/**
 * Limits from text such as `memory=4g,cpus=2`. Sizes are bytes, or end in k, m or g.
 *
 * @throws GraderError `bad_config`
 */
export function parseLimits(text: string): Partial<Limits> {
  const limits: Partial<Limits> = {};
  for (const part of text.split(",")) {
    const [, name = "", value = ""] = /^\s*([a-z-]+)=(\S+)\s*$/.exec(part) ?? [];
    const known = Object.hasOwn(NAMES, name) ? NAMES[name] : undefined;
    if (known === undefined)
      throw bad(`${JSON.stringify(part)} is no limit; give <name>=<value> with ${LIMIT_NAMES.join(", ")}`);
    const [key, kind] = known;
    const [, digits = "", unit = ""] = /^(\d{1,15}(?:\.\d{1,3})?)([kmg]?)$/i.exec(value) ?? [];
    const number = Number(digits) * (UNITS[unit.toLowerCase()] ?? 1);
    if (digits === "" || (kind !== "size" && unit !== ""))
      throw bad(`${name} is ${kind === "size" ? "a size such as 512m or 4g" : "a number"}, and not ${value}`);
    limits[key] = number;
  }
  return boxLimits(limits);
}

/**
 * All that is given, and what follows of it: folders lie in memory, so that more room in them needs more memory, and
 * less memory leaves less room. Of two that are both given and contradict each other neither is changed.
 *
 * @throws GraderError `bad_config`
 */
export function boxLimits(given: Partial<Limits>): Partial<Limits> {
  for (const [key, value] of Object.entries(given))
    if (!Number.isFinite(value) || value <= 0 || (key !== "cpus" && !Number.isInteger(value)))
      throw bad(`${key} is ${value} and has to be a number above 0`);
  const room = (keys: readonly (typeof FOLDERS)[number][]) =>
    keys.reduce((sum, key) => sum + (given[key] ?? DEFAULT_LIMITS[key]), 0);
  const memory = given.memory_bytes;
  if (memory === undefined)
    return {
      ...given,
      memory_bytes: Math.max(DEFAULT_LIMITS.memory_bytes, Math.ceil(room(FOLDERS) / FOLDERS_SHARE)),
    };
  if (memory < LEAST_MEMORY) throw bad(`no box works with less memory than ${LEAST_MEMORY / MIB} MiB`);
  const fixed = room(FOLDERS.filter((key) => given[key] !== undefined));
  if (fixed >= memory)
    throw bad(
      `folders of ${Math.ceil(fixed / MIB)} MiB lie in memory, and there is ${Math.floor(memory / MIB)} MiB`,
    );
  const open = FOLDERS.filter((key) => given[key] === undefined);
  const left = Math.max(memory - fixed, 0) * FOLDERS_SHARE;
  const scale = Math.min(1, left / room(open));
  return {
    ...given,
    ...Object.fromEntries(open.map((key) => [key, Math.floor(DEFAULT_LIMITS[key] * scale)])),
  };
}

const bad = (why: string) => new GraderError("bad_config", why, { field: "limits" });
