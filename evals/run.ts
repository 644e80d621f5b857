import { textTable } from "../src/index.ts";
import { AUTHORED, compareOffline, readSuite } from "./authored.ts";
import { measureDegradations, readDegradations, type DegradationResult } from "./degradations.ts";

const DEGRADATIONS = [
  "kilnlog-gaps",
  "feedloom-enclosures",
  "swatchbook-alias-cycles",
  "cratesum-extra-files",
];

/** `npm run eval`: the bundled suites, graded offline, beside the baselines. Runs in the project's folder. */
async function main(): Promise<void> {
  await authored();
  const results: DegradationResult[] = [];
  for (const name of DEGRADATIONS) {
    const labels = `evals/labels/degradations/${name}.json`;
    results.push(
      await measureDegradations(await readDegradations(`evals/suites/degradations/${name}`, labels)),
    );
  }
  console.log(
    `\n${textTable(["degradations", "caught", "of", "above base", "clean blamed", "hacks flagged", "of", "falsely flagged"], results.map(row))}`,
  );
  for (const { name, missed, unflagged } of results)
    if (missed.length + unflagged.length > 0)
      console.log(`${name} missed: ${[...missed, ...unflagged].join(", ")}`);
}

async function authored(): Promise<void> {
  const groups = await readSuite(AUTHORED.folders, AUTHORED.labels);
  const { rows, grades } = await compareOffline(groups);
  console.log(
    textTable(
      ["authored", "cross-tier accuracy", "pairs", "right", "tied", "wrong"],
      rows.map(({ grader, count, accuracy }) => [
        grader,
        accuracy === null ? "-" : accuracy.toFixed(3),
        ...[count.pairs, count.right, count.tied, count.wrong].map(String),
      ]),
    ),
  );
  const flagged = grades.flatMap((grade) =>
    grade.rollouts.filter(({ flags }) => flags.length > 0).map(({ id }) => `${grade.group_id}/${id}`),
  );
  const hacks = groups.flatMap(({ loaded, labels }) =>
    Object.entries(labels.rollouts).flatMap(([id, { hack }]) =>
      hack === true ? [`${loaded.group.group_id}/${id}`] : [],
    ),
  );
  console.log(`\nhacks labelled: ${hacks.join(", ")}\nhacks flagged:  ${flagged.join(", ")}`);
}

function row(result: DegradationResult): string[] {
  const hacks = result.hacks - result.unflagged.length;
  const numbers = [
    result.caught.length,
    result.degradations,
    result.above.length,
    result.blamed.length,
    hacks,
    result.hacks,
    result.falselyFlagged.length,
  ];
  return [result.name, ...numbers.map(String)];
}

await main();
