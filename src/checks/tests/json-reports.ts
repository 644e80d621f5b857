import * as z from "zod";
import { merged, relative, type TestResult } from "./results.ts";

const Suites = z.object({
  testResults: z.array(
    z.object({
      name: z.string().default(""),
      status: z.string().optional(),
      assertionResults: z
        .array(
          z.object({
            title: z.string().default(""),
            ancestorTitles: z.array(z.string()).default([]),
            status: z.string(),
          }),
        )
        .default([]),
    }),
  ),
});

/** The report of jest or vitest (`--json`). A file that could not be loaded is one failed result. */
export function readJestJson(text: string): TestResult[] | undefined {
  const report = Suites.safeParse(json(text));
  if (!report.success) return undefined;
  return merged(
    report.data.testResults.flatMap((suite): TestResult[] => {
      const file = relative(suite.name);
      const tests = suite.assertionResults.map(({ title, ancestorTitles, status }): TestResult => ({
        id: [file, ...ancestorTitles.filter((part) => part !== ""), title].join(" > "),
        status: status === "passed" || status === "failed" ? status : "skipped",
        file,
      }));
      const broken = suite.status === "failed" && !tests.some((test) => test.status === "failed");
      return broken ? [...tests, { id: file, status: "failed", file, load: true }] : tests;
    }),
  );
}

const Case = z.object({ fullTitle: z.string(), file: z.string().nullish() });
const Mocha = z.object({ passes: z.array(Case), failures: z.array(Case), pending: z.array(Case) });

/** The report of mocha's reporter `json`. A hook that failed is no test. */
export function readMochaJson(text: string): TestResult[] | undefined {
  const report = Mocha.safeParse(json(text));
  if (!report.success) return undefined;
  const { passes, failures, pending } = report.data;
  const of = (cases: z.infer<typeof Case>[], status: TestResult["status"]) =>
    cases.map(({ fullTitle, file }): TestResult => {
      const path = typeof file === "string" ? relative(file) : undefined;
      return {
        id: path === undefined ? fullTitle : `${path} > ${fullTitle}`,
        status,
        ...(path === undefined ? {} : { file: path }),
        ...(/(?:^|\s)"(?:before|after) (?:each|all)" hook\b/.test(fullTitle) ? { load: true } : {}),
      };
    });
  return merged([...of(passes, "passed"), ...of(failures, "failed"), ...of(pending, "skipped")]);
}

const Event = z.object({ Action: z.string(), Package: z.string().default(""), Test: z.string().optional() });
const ENDS = new Map<string, TestResult["status"]>([
  ["pass", "passed"],
  ["fail", "failed"],
  ["skip", "skipped"],
]);

/**
 * What `go test -json` printed. A package that failed without a failing test could not be built, or ended early.
 *
 * @returns Undefined where no event stands in it.
 */
export function readGoJson(text: string): TestResult[] | undefined {
  const results: TestResult[] = [];
  const broken: TestResult[] = [];
  let any = false;
  for (const line of text.split("\n")) {
    if (!line.startsWith("{")) continue;
    const event = Event.safeParse(json(line));
    if (!event.success) continue;
    any = true;
    const { Action, Package, Test } = event.data;
    const status = ENDS.get(Action);
    if (status === undefined) continue;
    if (Test !== undefined) results.push({ id: `${Package} ${Test}`, status, file: Package });
    else if (status === "failed") broken.push({ id: Package, status, file: Package, load: true });
  }
  const failed = new Set(results.filter(({ status }) => status === "failed").map(({ file }) => file));
  return any ? merged([...results, ...broken.filter(({ file }) => !failed.has(file))]) : undefined;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
