export { loadGroups, type SourceOptions } from "./load.ts";
export type { LoadedGroup, LoadFailure, PartialGroup, VerdictsByRollout } from "./loaded.ts";
export type { ResultVerdict } from "./results/index.ts";
export { SOURCE_KINDS, type SourceKind, type Supplies } from "./runs/index.ts";
export { readNamed } from "./files.ts";
export { resolveInside } from "./inside.ts";
export type { Warn } from "./notes.ts";
export { type PatchText, readPatch } from "./patch.ts";
export { readTestOutput, readTrajectory } from "./records.ts";
