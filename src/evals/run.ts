import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { GraderError, VERSION, type LoadedGroup } from "../index.ts";
import type { Graded, Grader, GradingContext } from "./graders/grader.ts";
import { NO_USAGE } from "./graders/grader.ts";
import { inputHash } from "./input-hash.ts";
import { keyOf, openResults, type ResultsFile } from "./results-file.ts";
import type { Case } from "./suites/case.ts";
import type { Answer } from "./types.ts";

/** US dollars for a million tokens. */
export interface Prices {
  in: number;
  out: number;
}

export interface RunOptions {
  cases: readonly Case[];
  graders: readonly Grader[];
  /** Folder of results.jsonl and of what interrupted gradings go on with. */
  out: string;
  /** Times that each grader is asked about each group, with a seed each. */
  repeat: number;
  seed: number;
  /** Questions side by side. */
  concurrency: number;
  resume: boolean;
  /** Seconds for one group. */
  deadline: number;
  prices?: Prices;
  onStep?: (job: Job, step: string) => void;
  onDone?: (job: Job, answer: Answer) => void;
}

/** One question: a grader, a group and a seed. */
export interface Job {
  grader: Grader;
  case: Case;
  repeat: number;
  seed: number;
}

/** Seconds that a grader is waited for after its deadline; more where it has boxes and a transcript to close. */
const GRACE = 2;
const GRACE_OF_RESUMABLE = 30;

/**
 * Asks every grader about every group. Answers come in the order of suites, groups, graders and repeats, whichever is
 * ready first; one that is known from an earlier run, or from the same group in another suite, is not asked for again.
 * No failure of a grader ends the run: it is an answer with its reason.
 */
export async function runGraders(options: RunOptions): Promise<Answer[]> {
  const results = await openResults(join(options.out, "results.jsonl"), options.resume);
  const asked = new Map<string, Promise<Answer>>();
  const jobs = jobsOf(options);
  const answers: Answer[] = [];
  const hashes = new Map<LoadedGroup, Promise<string>>();
  const hashOf = (loaded: LoadedGroup) => {
    const hash = hashes.get(loaded) ?? inputHash(loaded);
    hashes.set(loaded, hash);
    return hash;
  };
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < jobs.length; index = next++) {
      const job = jobs[index];
      if (job === undefined) return;
      const key = jobKey(job, await hashOf(job.case.loaded));
      const answer = asked.get(key) ?? ask(job, key, results, options);
      asked.set(key, answer);
      answers[index] = { ...(await answer), suite: job.case.suite };
      options.onDone?.(job, await answer);
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, worker));
  return answers.map((answer, index) => priced(answer, jobs[index]?.grader, options.prices));
}

function jobsOf({ cases, graders, repeat, seed }: RunOptions): Job[] {
  return cases.flatMap((one) =>
    graders.flatMap((grader) =>
      Array.from({ length: Math.max(repeat, grader.draws ?? 1) }, (_, index) => ({
        grader,
        case: one,
        repeat: index,
        seed: seed + index,
      })),
    ),
  );
}

function jobKey({ grader, case: one, repeat, seed }: Job, input: string): string {
  const { name, model, prompt_hash } = grader;
  return keyOf({ version: VERSION, name, model, prompt_hash, seed, repeat, variant: one.variant, input });
}

async function ask(job: Job, key: string, results: ResultsFile, options: RunOptions): Promise<Answer> {
  const known = results.known(key);
  if (known !== undefined) return known;
  const { grader, case: one, repeat, seed } = job;
  const started = performance.now();
  const graded = await gradeWithin(job, {
    seed,
    signal: AbortSignal.timeout(options.deadline * 1000),
    deadline: options.deadline,
    ...(grader.resumable === true ? { dir: join(options.out, "work", key) } : {}),
    resume: options.resume,
    onStep: (step) => options.onStep?.(job, step),
  });
  const { status, reason, usage, ...rest } = withOriginals(graded, one);
  const answer: Answer = {
    grader: grader.name,
    suite: one.suite,
    group_id: one.loaded.group.group_id,
    repeat,
    seed,
    ...(one.variant === undefined ? {} : { variant: one.variant }),
    status,
    ...(reason === undefined ? {} : { reason }),
    ...rest,
    usage: { ...usage, seconds: Math.round(performance.now() - started) / 1000, price: null },
  };
  await results.add(key, priced(answer, grader, options.prices));
  return answer;
}

/** The grader's answer, or what stood in its way. */
async function gradeWithin({ grader, case: one }: Job, context: GradingContext): Promise<Graded> {
  const failed = (status: "fallback" | "error", reason: string): Graded => ({
    status,
    reason,
    places: {},
    findings: [],
    flags: [],
    usage: NO_USAGE,
  });
  const over = new AbortController();
  const seconds = context.deadline + (grader.resumable === true ? GRACE_OF_RESUMABLE : GRACE);
  const late = sleep(seconds * 1000, undefined, { signal: over.signal })
    .then(() => failed("fallback", "budget: the time for one group is over"))
    .catch(() => failed("error", "ended"));
  try {
    return await Promise.race([grader.grade(one.loaded, context), late]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failed(error instanceof GraderError && error.code === "fallback" ? "fallback" : "error", reason);
  } finally {
    over.abort();
  }
}

/** Answers name rollouts as the labels do, also where the grader saw them under other names. */
function withOriginals(graded: Graded, { originals }: Case): Graded {
  if (originals === undefined) return graded;
  const idOf = (id: string) => originals[id] ?? id;
  return {
    ...graded,
    places: Object.fromEntries(Object.entries(graded.places).map(([id, place]) => [idOf(id), place])),
    findings: graded.findings.map((finding) => ({
      ...finding,
      rollout: idOf(finding.rollout),
      citations: finding.citations.map((citation) => ({ ...citation, rollout: idOf(citation.rollout) })),
    })),
    flags: graded.flags.map(({ rollout, kind }) => ({ rollout: idOf(rollout), kind })),
  };
}

/** What an answer cost, by the prices of this run; null where they are not known. */
function priced(answer: Answer, grader: Grader | undefined, prices: Prices | undefined): Answer {
  const { tokens_in, tokens_out } = answer.usage;
  const dollars = prices === undefined ? null : (tokens_in * prices.in + tokens_out * prices.out) / 1_000_000;
  const price = grader?.cost === "free" ? 0 : grader?.cost === "tokens" ? dollars : null;
  return { ...answer, usage: { ...answer.usage, price } };
}
