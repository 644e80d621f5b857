export { type LoadedGroup, type LoadFailure, loadGroups, type SourceOptions } from "./load.ts";
export { readNamed } from "./files.ts";
export { resolveInside } from "./inside.ts";
export type { Warn } from "./notes.ts";
export { type PatchText, readPatch } from "./patch.ts";
export { readTestOutput, readTrajectory } from "./records.ts";
