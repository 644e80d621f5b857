import * as z from "zod";
import { CheckRun } from "../schema/check.ts";

/** What one run printed, as far as it is kept. */
export const Printed = z.strictObject({
  stdout: z.string(),
  stderr: z.string(),
  left_out: z.int().positive().optional().describe("Characters of stdout that were too many to be kept."),
});
export type Printed = z.infer<typeof Printed>;

/** One run with what it printed. */
export const Run = z.strictObject({ run: CheckRun, printed: Printed });
export type Run = z.infer<typeof Run>;

/** A run of a check; `again` is the same run made a second time, to find what differs from run to run. */
export interface Behaviour extends Run {
  again?: Run | undefined;
}
