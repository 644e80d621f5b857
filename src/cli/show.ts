import { Command } from "commander";
import { formatPlace, type GraderError, type Warning } from "../errors.ts";
import { shortNumber, textTable } from "../report/table.ts";
import { loadGroups, type LoadedGroup, type PartialGroup, type SourceOptions } from "../sources/index.ts";
import { visible } from "../visible.ts";
import { type GroupView, type RolloutView, viewGroup } from "./group-view.ts";
import { addSourceOptions, sourceOptions } from "./source-options.ts";

/** Where `show` writes, and how many columns there are; unlimited when nobody looks at a terminal. */
export interface ShowOutput {
  out: (text: string) => void;
  err: (text: string) => void;
  columns: number;
}

/** `gagar show INPUT...`. */
export function showCommand(): Command {
  const command = new Command("show")
    .description(
      "Show what gagar reads from an input: rollouts, formats, patches, and what could not be read.",
    )
    .argument("<inputs...>", "group file, JSON Lines, folder, runs of a harness, or - for standard input")
    .option("--json", "one JSON document per group");
  return addSourceOptions(command).action(
    async (inputs: string[], options: SourceOptions & { json?: boolean }) => {
      const output: ShowOutput = {
        out: (text) => void process.stdout.write(text),
        err: (text) => void process.stderr.write(text),
        columns: process.stdout.isTTY ? process.stdout.columns : Infinity,
      };
      process.exitCode = await show(inputs, sourceOptions(options), options.json === true, output);
    },
  );
}

/** Shows every group of every input. Returns the exit status: 2 when something could not be read, else 0. */
export async function show(
  inputs: readonly string[],
  options: SourceOptions,
  json: boolean,
  { out, err, columns }: ShowOutput,
): Promise<number> {
  let status = 0;
  let shown = 0;
  const view = async (loaded: LoadedGroup | PartialGroup, error?: GraderError): Promise<void> => {
    const view = await viewGroup(loaded);
    if (view.warnings.some(({ code }) => code === "bad_input")) status = Math.max(status, 2);
    if (json)
      out(
        `${JSON.stringify(error === undefined ? view : { ...view, ...failureView(view.source, error) })}\n`,
      );
    else out(`${shown++ > 0 ? "\n" : ""}${textOf(view, columns)}\n`);
  };
  for await (const loaded of loadGroups(inputs, options)) {
    if (!("error" in loaded)) {
      await view(loaded);
      continue;
    }
    const { error, partial, source } = loaded;
    status = Math.max(status, error.exitStatus);
    if (!json) err(`gagar: ${oneLine(error.message)}\n`);
    else if (partial === undefined) out(`${JSON.stringify(failureView(source, error))}\n`);
    if (partial !== undefined) await view(partial, error);
  }
  return status;
}

function failureView(source: string, { code, message, where }: GraderError) {
  return { source, error: { code, message, where } };
}

function textOf(view: GroupView, columns: number): string {
  const head = [
    `group  ${view.group_id}  (${view.source})`,
    `task   ${taskOf(view.task)}`,
    `repo   ${repoOf(view.repo)}`,
    `tests  ${testsOf(view.tests)}`,
  ];
  return [
    ...head.map(oneLine),
    "",
    rolloutsOf(view.rollouts, columns),
    ...(view.warnings.length > 0 ? [""] : []),
    ...sameTogether(view.warnings).map(warningOf),
  ].join("\n");
}

function taskOf({ id, statement }: GroupView["task"]): string {
  const title = /\S.*/.exec(statement)?.[0];
  if (title === undefined) return `${id}: no statement`;
  const lines = statement.trimEnd().split("\n").length;
  return `${id}: ${title} (${lines} ${lines === 1 ? "line" : "lines"})`;
}

function repoOf(repo: GroupView["repo"]): string {
  if (repo === null) return "unknown";
  return Object.entries(repo)
    .map((pair) => pair.join(" "))
    .join(", ");
}

function testsOf(tests: GroupView["tests"]): string {
  if (tests === null) return "none declared";
  const { command, ...more } = tests;
  const facts = Object.entries(more).map(
    ([name, value]) => `${name} ${Array.isArray(value) ? value.length : value}`,
  );
  return [command, ...facts].join(", ");
}

/** Warnings in order; what is said of several rollouts alike is said once, with all of their names. */
function sameTogether(warnings: readonly Warning[]): Warning[] {
  const groups = new Map<string, { warning: Warning; rollouts: string[] }>();
  for (const warning of warnings) {
    const { rollout, ...place } = warning.where;
    const key = JSON.stringify([warning.code, warning.message, place]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { warning, rollouts: rollout === undefined ? [] : [rollout] });
    else if (rollout !== undefined) known.rollouts.push(rollout);
  }
  return [...groups.values()].map(({ warning, rollouts }) =>
    rollouts.length === 0
      ? warning
      : { ...warning, where: { ...warning.where, rollout: rollouts.join(", ") } },
  );
}

/** A warning's message may hold its place already, when it comes from an error. */
function warningOf({ code, message, where }: Warning): string {
  const place = formatPlace(where);
  return oneLine(`warning  ${message.startsWith(place) ? "" : `${place}: `}${message} [${code}]`);
}

const COLUMNS: readonly { name: string; cell: (rollout: RolloutView) => string; optional?: boolean }[] = [
  { name: "rollout", cell: ({ id }) => id },
  { name: "passed", cell: ({ passed }) => (passed === null ? "?" : passed ? "yes" : "no") },
  { name: "verdicts", cell: ({ verdicts }) => verdictsOf(verdicts), optional: true },
  { name: "reward", cell: ({ reward }) => shortNumber(reward), optional: true },
  { name: "advantage", cell: ({ advantage }) => shortNumber(advantage), optional: true },
  {
    name: "trajectory",
    cell: ({ trajectory: t }) => (t === null ? "-" : [t.format, t.version ?? ""].join(" ").trim()),
  },
  { name: "turns", cell: ({ trajectory }) => countOf(trajectory?.turns) },
  { name: "calls", cell: ({ trajectory }) => countOf(trajectory?.calls) },
  { name: "unanswered", cell: ({ trajectory }) => countOf(trajectory?.unanswered) },
  { name: "patch", cell: ({ patch }) => (patch.state === "present" ? `${patch.bytes} B` : patch.state) },
  { name: "files", cell: ({ patch }) => (patch.state === "present" ? String(patch.files) : "-") },
  { name: "tokens", cell: ({ tokens }) => countOf(tokens), optional: true },
  { name: "tests", cell: ({ test_output_bytes: bytes }) => (bytes === null ? "-" : `${bytes} B`) },
  { name: "warnings", cell: ({ warnings }) => String(warnings) },
];

/** What is counted is not rounded. */
function countOf(count: number | null | undefined): string {
  return count === null || count === undefined ? "-" : String(count);
}

function verdictsOf(verdicts: RolloutView["verdicts"]): string {
  const said = verdicts.map(
    ({ source, passed }) => `${source} ${passed === null ? "?" : passed ? "yes" : "no"}`,
  );
  return said.length === 0 ? "-" : said.join(", ");
}

/** One row a rollout; where the terminal is too narrow for that, a few lines a rollout. */
function rolloutsOf(rollouts: readonly RolloutView[], columns: number): string {
  const used = COLUMNS.filter(
    ({ cell, optional }) => optional !== true || rollouts.some((row) => cell(row) !== "-"),
  );
  const names = used.map(({ name }) => name);
  const rows = rollouts.map((rollout) => used.map(({ cell }) => oneLine(cell(rollout))));
  const table = textTable(names, rows);
  if (table.split("\n").every((line) => line.length <= columns)) return table;
  return rows
    .map(([id = "", ...cells]) => {
      const facts = cells.map((cell, index) => `${names[index + 1] ?? ""} ${cell}`);
      return [id, ...wrapped(facts, columns - 2).map((line) => `  ${line}`)].join("\n");
    })
    .join("\n");
}

/** Facts as lines of at most `columns`, where they fit. */
function wrapped(facts: readonly string[], columns: number): string[] {
  const lines: string[] = [];
  for (const fact of facts) {
    const longer = lines.length === 0 ? fact : `${lines.at(-1) ?? ""}, ${fact}`;
    if (lines.length > 0 && longer.length > columns) lines.push(fact);
    else lines.splice(-1, 1, longer);
  }
  return lines;
}

/** Untrusted text in one line of the output. */
function oneLine(text: string): string {
  return visible(text).replace(/[\n\t]/g, " ");
}
