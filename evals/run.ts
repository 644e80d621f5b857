import { textTable } from "../src/index.ts";
import { AUTHORED, compareOffline, readSuite } from "./authored.ts";

/** `npm run eval`: the bundled groups, graded offline, beside the baselines. Runs in the project's folder. */
async function main(): Promise<void> {
  const groups = await readSuite(AUTHORED.folders, AUTHORED.labels);
  const { rows, grades } = await compareOffline(groups);
  console.log(
    textTable(
      ["grader", "cross-tier accuracy", "pairs", "right", "tied", "wrong"],
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

await main();
