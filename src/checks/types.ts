import * as z from "zod";
import type { CheckRun } from "../schema/check.ts";

/** What one run printed, as far as it is kept. */
export const Printed = z.strictObject({ stdout: z.string(), stderr: z.string() });
export type Printed = z.infer<typeof Printed>;

/** One run with what it printed. */
export interface Behaviour {
  run: CheckRun;
  printed: Printed;
}
