import { join } from "node:path";
import { expect, test } from "vitest";
import { openGraders } from "../../src/evals/graders/index.ts";
import { resultsOf } from "../../src/evals/results.ts";
import { runGraders } from "../../src/evals/run.ts";
import { openSuites } from "../../src/evals/suites/index.ts";
import { sharedData } from "../helpers/shared-data.ts";
import { tempDir } from "../helpers/temp-dir.ts";

test.each([
  ["groups", 5],
  ["authored", 4],
  ["hard", 3],
])("%s: all %d groups are read with their labels and can be measured", async (name, count) => {
  using out = tempDir();
  const { cases, failures } = await openSuites([join(sharedData ?? "", name)], 0);
  expect(failures.map(({ message }) => message)).toEqual([]);
  expect(cases).toHaveLength(count);
  const graders = await openGraders(["constant", "smallest-patch"], {});
  const fixed = { repeat: 1, seed: 0, concurrency: 1, resume: false, deadline: 60 };
  const answers = await runGraders({ cases, graders, out: out.path, ...fixed });
  expect(answers.filter(({ status }) => status !== "graded")).toEqual([]);
  const [constant, smallest] = resultsOf(cases, graders, answers, [], 0).suites[0]?.summaries ?? [];
  expect(constant?.metrics.pairwise_accuracy.value).toBe(0.5);
  expect(smallest?.metrics.pairwise_accuracy.n).toBeGreaterThan(5);
});
