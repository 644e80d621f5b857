import * as z from "zod";
import type { Parting, Way, Ways } from "../checks/ways.ts";
import { fitting } from "./excerpt.ts";
import { foreign, MAX_ANSWER } from "./view.ts";

/** Characters for the ways in which cases part the rollouts. */
const ROOM = 0.8 * MAX_ANSWER;
/** Clusters up to which it is told how far each is from each. */
const MAX_COMPARED = 16;
/** Characters before the first difference that are shown. */
const LEAD_IN = 48;

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

/**
 * @param clusters - The labels of each, in the order of the matrix.
 * @param matrix - Of a script that tells cases.
 */
export function showCases(
  clusters: readonly (readonly string[])[],
  matrix: Ways,
): { data: z.infer<typeof casesOutput>; lines: string[] } {
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
      ...differingLines(clusters, matrix),
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

/** How far apart any two clusters are; with two of them the first line has said it. */
function differingLines(clusters: readonly (readonly string[])[], { differing }: Ways): string[] {
  if (clusters.length < 3 || clusters.length > MAX_COMPARED) return [];
  const name = (index: number) => clusters[index]?.join(" ") ?? "";
  return [
    "cases in which two kinds differ:",
    ...differing.slice(1).map((row, below) => {
      const others = row.slice(0, below + 1).map((cases, index) => `${cases} from ${name(index)}`);
      return `  ${name(below + 1)}: ${others.join(", ")}`;
    }),
  ];
}

function partingLines({ input, line, sides }: Parting): string[] {
  const texts = sides.flatMap(({ text }) => (text === undefined ? [] : [text]));
  const from = texts.length < 2 ? 0 : commonStart(texts);
  return [
    foreign(`case on line ${line}`, input),
    ...sides.map(({ labels, text }) =>
      text === undefined
        ? `  ${labels.join(" ")} told nothing of it`
        : foreign(`  ${labels.join(" ")}`, text.slice(from)),
    ),
  ];
}

/**
 * Where the texts are shown from: a little before they part, since the case itself stands above them. What is left is
 * long enough to be quoted, and begins with a whole word.
 */
function commonStart(texts: readonly string[]): number {
  const [first = "", ...others] = texts;
  let length = 0;
  while (length < first.length && others.every((text) => text[length] === first[length])) length += 1;
  const from = length - LEAD_IN;
  if (from <= 0) return 0;
  const gap = first.slice(from, from + LEAD_IN / 2).search(/[\s,{[:]/);
  return from + gap + 1;
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
