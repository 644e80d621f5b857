import * as z from "zod";
import { FindingInput, Lead } from "./evidence.ts";
import { Grade } from "./grade.ts";
import { Group } from "./group.ts";
import { TrajectoryEvent } from "./trajectory.ts";
import { Verdict } from "./verdict.ts";

const SOURCES = {
  group: { schema: Group, title: "A group of rollouts, as gagar grade reads it" },
  grade: { schema: Grade, title: "The answer for one group" },
  finding: { schema: FindingInput, title: "A finding, as record_finding takes it" },
  lead: { schema: Lead, title: "A detector's suspicion" },
  verdict: { schema: Verdict, title: "A verdict, as submit_verdict takes it" },
  "trajectory-event": { schema: TrajectoryEvent, title: "One event of a normalised trajectory" },
} as const;

export type SchemaName = keyof typeof SOURCES;
export const SCHEMA_NAMES: readonly string[] = Object.keys(SOURCES);

/** JSON Schema (draft 2020-12) of one of gagar's data types, or undefined for a name that there is not. */
export function jsonSchema(name: string): Record<string, unknown> | undefined {
  if (!isSchemaName(name)) return undefined;
  const { schema, title } = SOURCES[name];
  const io = name === "grade" ? "output" : "input";
  return { title, ...z.toJSONSchema(schema, { io, target: "draft-2020-12" }) };
}

function isSchemaName(name: string): name is SchemaName {
  return Object.hasOwn(SOURCES, name);
}
