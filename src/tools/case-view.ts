import * as z from "zod";
import type { Parting, Way, Ways } from "../checks/ways.ts";
import { fitting } from "./excerpt.ts";
import { foreign, MAX_ANSWER } from "./view.ts";

/** Characters for the ways in which cases part the rollouts. */
const ROOM = 0.8 * MAX_ANSWER;

const parting = z.object({
  case: z.string().describe("The input as JSON."),
  sides: z.array(
    z.object({
      rollouts: z.array(z.string()),
      line: z.string().optional().describe("What they printed; missing when they told nothing of the case."),
    }),
  ),
});

/** The disagreement matrix as data. */
export const casesOutput = z.object({
  told: z.int().describe("Cases that any rollout told of, without those that differ from run to run."),
  parting: z.int().describe("Cases in which not all did the same."),
  ways: z.array(
    z.object({
      cases: z.int().describe("Cases that part the rollouts in this way."),
      smallest: parting,
      first: parting,
    }),
  ),
});

/** @param matrix - Of a script that tells cases. */
export function showCases(matrix: Ways): { data: z.infer<typeof casesOutput>; lines: string[] } {
  const count = matrix.ways.reduce((sum, way) => sum + way.count, 0);
  const blocks = matrix.ways.map(wayLines);
  const { shown, left } = fitting(blocks, ROOM, (lines) => lines.join("\n").length + 1);
  return {
    data: {
      told: matrix.cases,
      parting: count,
      ways: matrix.ways.slice(0, shown.length).map((way) => ({
        cases: way.count,
        smallest: partingData(way.smallest),
        first: partingData(way.first),
      })),
    },
    lines: [
      `${matrix.cases} cases told; ${count} of them part the rollouts, in ${matrix.ways.length} ${matrix.ways.length === 1 ? "way" : "ways"}`,
      ...shown.flat(),
      ...(left === 0 ? [] : [`[${left} more ways; read_check shows a whole output]`]),
    ],
  };
}

function wayLines({ count, smallest, first }: Way): string[] {
  const who = smallest.sides.map(({ labels }) => labels.join(" ")).join(" | ");
  const title = `${who}: ${count} ${count === 1 ? "case" : "cases"}`;
  return first === smallest
    ? [title, ...partingLines(smallest)]
    : [`${title}, the smallest and the first:`, ...partingLines(smallest), ...partingLines(first)];
}

function partingLines({ input, line, sides }: Parting): string[] {
  return [
    foreign(`case on line ${line}`, input),
    ...sides.map(({ labels, text }) =>
      text === undefined
        ? `  ${labels.join(" ")} told nothing of it`
        : foreign(`  ${labels.join(" ")}`, text),
    ),
  ];
}

function partingData({ input, sides }: Parting): z.infer<typeof parting> {
  return {
    case: input,
    sides: sides.map(({ labels, text }) => ({
      rollouts: labels,
      ...(text === undefined ? {} : { line: text }),
    })),
  };
}
