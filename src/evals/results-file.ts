import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import * as z from "zod";
import { Finding, GraderError } from "../index.ts";
import type { Answer } from "./types.ts";

const Count = z.number().nonnegative();
/** An answer as it is read back. What of it has another shape was not written by this version and is made again. */
export const AnswerSchema: z.ZodType<Answer> = z.object({
  grader: z.string(),
  suite: z.string(),
  group_id: z.string(),
  repeat: z.int(),
  seed: z.int(),
  variant: z.string().optional(),
  status: z.enum(["graded", "skipped", "fallback", "error"]),
  reason: z.string().optional(),
  places: z.record(
    z.string(),
    z.object({
      tier: z.union([z.literal(1), z.literal(2), z.literal(3)]),
      rank: z.int().positive(),
      score: z.number().optional(),
    }),
  ),
  findings: z.array(Finding),
  flags: z.array(z.object({ rollout: z.string(), kind: z.string() })),
  usage: z.object({
    model_calls: Count,
    tokens_in: Count,
    tokens_out: Count,
    tool_calls: Count,
    checks: Count,
    seconds: Count,
    price: Count.nullable(),
  }),
}) as z.ZodType<Answer>;

/** Answers by key, one a line of a file that only grows. */
export interface ResultsFile {
  known(key: string): Answer | undefined;
  add(key: string, answer: Answer): Promise<void>;
}

/** The key of an answer: two of one key are answers to the same question. */
export function keyOf(parts: Readonly<Record<string, string | number | undefined>>): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}

/**
 * Opens the results of an earlier run to go on with, or begins anew. A line that was cut by a killed run is passed
 * over. Of a question that had no answer (a fallback, an error) the line stays, but it is asked again.
 *
 * @throws GraderError `bad_config` when beginning anew would throw away what a model was paid for.
 */
export async function openResults(file: string, resume: boolean): Promise<ResultsFile> {
  const text = await readFile(file, "utf8").catch(() => "");
  const answers = new Map<string, Answer>();
  for (const line of text.split("\n")) {
    const read = readLine(line);
    if (read !== undefined) answers.set(read.key, read.answer);
  }
  const paid = [...answers.values()].filter(({ usage }) => usage.model_calls > 0).length;
  if (!resume && paid > 0)
    throw new GraderError(
      "bad_config",
      `holds ${paid} answers that a model gave: go on with --resume, or choose another --out`,
      { file },
    );
  await mkdir(dirname(file), { recursive: true });
  if (!resume) {
    answers.clear();
    await writeFile(file, "");
  } else if (text !== "" && !text.endsWith("\n")) await appendFile(file, "\n");
  let written = Promise.resolve();
  return {
    known(key) {
      const answer = answers.get(key);
      return answer?.status === "graded" || answer?.status === "skipped" ? answer : undefined;
    },
    add(key, answer) {
      answers.set(key, answer);
      // One line after the other, whole.
      written = written.then(() => appendFile(file, `${JSON.stringify({ key, ...answer })}\n`));
      return written;
    },
  };
}

const Line = z.object({ key: z.string() });

function readLine(line: string): { key: string; answer: Answer } | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return { key: Line.parse(value).key, answer: AnswerSchema.parse(value) };
  } catch {
    return undefined;
  }
}
