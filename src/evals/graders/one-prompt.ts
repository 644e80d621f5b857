import * as z from "zod";
import {
  GraderError,
  loadChat,
  readPatch,
  type Chat,
  type ChatMessage,
  type ChatReply,
  type LoadedGroup,
} from "../../index.ts";
import { shuffled } from "../lots.ts";
import { NO_USAGE, unplaced, type Graded, type Grader, type GradingContext } from "./grader.ts";
import { groupMessage, JUDGE_HASH, JUDGE_PROMPT } from "./one-prompt-text.ts";
import { placesOf, type Standing } from "./places.ts";

const Judgement = z.object({
  candidates: z.array(
    z.object({
      id: z.coerce.string(),
      reason: z.string(),
      score: z.number().min(0).max(1),
      tier: z.union([z.literal(1), z.literal(2), z.literal(3)]),
    }),
  ),
});
type Judgement = z.infer<typeof Judgement>;

/**
 * The judge that others use: one request with the whole group in it, one answer with a reason, a score and a tier for
 * each rollout (as RULER of OpenPipe's ART does it, with tiers added, and with the order shuffled by the seed, since a
 * judge prefers places in a list). It has no tools and no repository. An answer that cannot be read is sent back once.
 *
 * @param spec - `provider:model`.
 * @throws GraderError `bad_config` when the model cannot be had.
 */
export async function onePromptGrader(spec: string): Promise<Grader> {
  const chat = await loadChat(spec);
  return {
    name: "one-prompt",
    model: spec,
    prompt_hash: JUDGE_HASH,
    cost: "tokens",
    grade: (loaded, context) => judge(chat, loaded, context),
  };
}

async function judge(
  chat: Chat,
  loaded: LoadedGroup,
  { seed, signal, onStep }: GradingContext,
): Promise<Graded> {
  const ids = await judgeable(loaded);
  if (ids.length < 2)
    return unplaced("skipped", `${ids.length} passing rollouts can be judged, two are needed`);
  const order = shuffled(ids.toSorted(), (id) => id, "one-prompt", seed, loaded.group.group_id);
  const messages: ChatMessage[] = [
    { role: "system", text: JUDGE_PROMPT },
    { role: "user", text: await groupMessage(loaded, order) },
  ];
  const usage = { ...NO_USAGE };
  let fault = "";
  for (let attempt = 0; attempt < 2; attempt += 1) {
    onStep?.("inspect");
    const reply = await ask(chat, messages, signal);
    if (typeof reply === "string") return unplaced("fallback", reply, usage);
    for (const key of ["model_calls", "tokens_in", "tokens_out"] as const) usage[key] += reply[key];
    const read = readJudgement(reply.text, order.length);
    if ("judgement" in read)
      return {
        status: "graded",
        places: placesOf(standings(read.judgement, order)),
        findings: [],
        flags: [],
        usage,
      };
    ({ fault } = read);
    messages.push(
      { role: "assistant", text: reply.text },
      { role: "user", text: `This answer cannot be used: ${fault}. Give the whole JSON object again.` },
    );
  }
  return unplaced("fallback", `the judge's answer cannot be used: ${fault}`, usage);
}

/** Passing rollouts whose patch is known: where there is none, nothing can be said about it. */
async function judgeable({ group, root }: LoadedGroup): Promise<string[]> {
  const ids: string[] = [];
  for (const rollout of group.rollouts) {
    if (rollout.passed !== true) continue;
    const { state } = await readPatch(rollout, root, () => {});
    if (state === "present" || state === "empty") ids.push(rollout.id);
  }
  return ids;
}

/** The model's reply, or why there is none: what was spent before it still counts. */
async function ask(
  chat: Chat,
  messages: readonly ChatMessage[],
  signal: AbortSignal,
): Promise<ChatReply | string> {
  try {
    return await chat.ask(messages, signal);
  } catch (error) {
    if (signal.aborted) return "budget: the time for one group is over";
    if (error instanceof GraderError && error.code === "fallback") return error.message;
    throw error;
  }
}

/** The tier is the judge's own; its scores decide inside a tier alone. */
function standings({ candidates }: Judgement, order: readonly string[]): Record<string, Standing> {
  return Object.fromEntries(
    candidates.map(({ id, tier, score }) => [order[Number(id) - 1] ?? "", { tier, score }]),
  );
}

function readJudgement(text: string, count: number): { judgement: Judgement } | { fault: string } {
  const object = /\{[\s\S]*\}/.exec(text)?.[0];
  if (object === undefined) return { fault: "it holds no JSON object" };
  let value: unknown;
  try {
    value = JSON.parse(object);
  } catch (error) {
    return { fault: `it is no JSON (${error instanceof Error ? error.message : String(error)})` };
  }
  const result = Judgement.safeParse(value);
  if (!result.success) {
    const [issue] = result.error.issues;
    return { fault: `${issue?.path.map(String).join(".") ?? ""}: ${issue?.message ?? "another shape"}` };
  }
  const given = result.data.candidates.map(({ id }) => id);
  const wanted = Array.from({ length: count }, (_, index) => String(index + 1));
  const missing = wanted.filter((id) => !given.includes(id));
  const unknown = given.filter((id, index) => !wanted.includes(id) || given.indexOf(id) !== index);
  if (missing.length > 0) return { fault: `candidates ${missing.join(", ")} are missing` };
  if (unknown.length > 0) return { fault: `${unknown.join(", ")} are no candidates or stand twice` };
  return { judgement: result.data };
}
