import type { Tests } from "../../schema/group.ts";
import type { ReadResult } from "../../sandbox/types.ts";
import { added, type TestCommand } from "../runners.ts";
import type { Printed } from "../types.ts";
import { readGoJson, readJestJson, readMochaJson } from "./json-reports.ts";
import { readJunit } from "./junit.ts";
import { readCargo, readUnittest } from "./output.ts";
import { relative, type TestResult } from "./results.ts";

/** A report larger than this is none, in bytes. */
export const MAX_REPORT = 32 * 1024 * 1024;

const FOLDER = "/tmp/gagar-report";
const XML = `${FOLDER}.xml`;
const JSON_FILE = `${FOLDER}.json`;

/** How a run is asked for an account of single tests, and how that is read. */
export interface ReportPlan extends TestCommand {
  /** The file in the box that holds it; missing where the output itself is the account. */
  path?: string;
  told_by: "report" | "output";
  read(file: string, printed: Printed): TestResult[] | undefined;
}

type Known = Exclude<NonNullable<Tests["runner"]>, "custom">;

const junit: Pick<ReportPlan, "told_by" | "read"> = { told_by: "report", read: readJunit };

/** By runner. Undefined where a command of this kind cannot be asked. */
const PLANS: Record<Known, (command: TestCommand) => ReportPlan | undefined> = {
  // The family that names a test's file.
  pytest: ({ command, env }) => ({
    command,
    env: {
      ...env,
      PYTEST_ADDOPTS: `${env["PYTEST_ADDOPTS"] ?? ""} --junit-xml=${XML} -o junit_family=xunit1`.trim(),
    },
    path: XML,
    ...junit,
  }),
  unittest: ({ command, env }) => ({
    command: /\s(?:-v|--verbose)\b/.test(command)
      ? command
      : command.replace(/-m\s+unittest\b(?:\s+discover\b)?/, "$& -v"),
    env,
    told_by: "output",
    // The command may send both streams to one place.
    read: (_file, { stdout, stderr }) => readUnittest(stderr) ?? readUnittest(stdout),
  }),
  // In the environment it reaches a runner behind npm as well.
  node: ({ command, env }) =>
    command.includes("--test-reporter")
      ? undefined
      : {
          command,
          env: {
            ...env,
            NODE_OPTIONS: `--test-reporter=spec --test-reporter-destination=stdout --test-reporter=junit --test-reporter-destination=${XML}`,
          },
          path: XML,
          ...junit,
        },
  jest: (asked) => withWords(asked, `--json --outputFile=${JSON_FILE}`, readJestJson),
  vitest: (asked) =>
    withWords(asked, `--reporter=default --reporter=json --outputFile.json=${JSON_FILE}`, readJestJson),
  mocha: (asked) => withWords(asked, `--reporter json --reporter-option output=${JSON_FILE}`, readMochaJson),
  go: ({ command, env }) => ({
    command,
    env: { ...env, GOFLAGS: "-json" },
    told_by: "report",
    read: (_file, { stdout }) => readGoJson(stdout),
  }),
  cargo: ({ command, env }) => ({
    command,
    env,
    told_by: "output",
    read: (_file, { stdout, stderr }) => readCargo(stdout, stderr),
  }),
};

function withWords(
  asked: TestCommand,
  words: string,
  read: (file: string) => TestResult[] | undefined,
): ReportPlan {
  const { command } = added(asked.command, words);
  return { command, env: asked.env, path: JSON_FILE, told_by: "report", read };
}

/**
 * The declared command, asked for an account as well. A report that the group declares is JUnit XML, whatever the
 * runner. Undefined where nothing but the exit status and a summary can be had.
 */
export function reportPlan({ runner, report_path }: Tests, asked: TestCommand): ReportPlan | undefined {
  if (report_path !== undefined) return { ...asked, path: report_path, ...junit };
  return runner === undefined || runner === "custom" ? undefined : PLANS[runner](asked);
}

/**
 * What a finished run tells of its tests; undefined where it wrote no report that can be read.
 *
 * @param workdir - The folder that it ran in, which runners name before paths.
 */
export function accountOf(
  plan: ReportPlan,
  file: ReadResult | undefined,
  printed: Printed,
  workdir: string,
): TestResult[] | undefined {
  const text =
    plan.path === undefined ? "" : file?.outcome === "read" ? file.bytes.toString("utf8") : undefined;
  const told = text === undefined ? undefined : plan.read(text, printed);
  return told?.map(({ id, file: path, ...rest }) => ({
    ...rest,
    id: relative(id, workdir),
    ...(path === undefined ? {} : { file: relative(path, workdir) }),
  }));
}
