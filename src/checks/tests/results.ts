/** One test as a runner tells it. */
export interface TestResult {
  /** As the runner names it; the same test has the same id in every run. */
  id: string;
  status: "passed" | "failed" | "skipped";
  /** Path of its file, as far as the runner tells it: relative to the repository's root where that can be known. */
  file?: string;
  /** It stands for a file or a class that could not be loaded, not for a test. */
  load?: boolean;
  /** How often the run tells of this id, where more than once. */
  times?: number;
  /** It failed before its own code ran: a fixture was missing or broken. */
  setup?: boolean;
}

const ORDER = { passed: 0, skipped: 1, failed: 2 };

/** Longest id, in characters: code under test may make names of any length. */
const MAX_ID = 500;

/** One result an id, in the order in which they were told first; ids are one line. Of several the worst counts. */
export function merged(results: Iterable<TestResult>): TestResult[] {
  const known = new Map<string, TestResult>();
  for (const told of results) {
    const result = { ...told, id: told.id.replaceAll(/\p{Cc}+/gu, " ").slice(0, MAX_ID) };
    const before = known.get(result.id);
    const worse = before === undefined || ORDER[result.status] > ORDER[before.status] ? result : before;
    known.set(result.id, before === undefined ? worse : { ...worse, times: (before.times ?? 1) + 1 });
  }
  return [...known.values()];
}

/** A path without the folder that boxes work in. */
export function relative(path: string, workdir = "/work"): string {
  return path.startsWith(`${workdir}/`) ? path.slice(workdir.length + 1) : path;
}
