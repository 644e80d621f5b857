import type { Cluster, Clusters } from "../checks/clusters.ts";
import { compareClusters, type Apart, type Disagreement } from "../checks/disagreements.ts";
import { fitting } from "./excerpt.ts";
import { foreign, MAX_ANSWER } from "./view.ts";

/** Characters for the lines in which runs part. */
const ROOM = MAX_ANSWER;

/** The lines of output that are not the same everywhere, and those that only some outputs have. */
export function partingLines(clusters: readonly Cluster[], about: Clusters): string[] {
  const { disagreements, apart } = compareClusters(clusters, about);
  const rows = disagreements.map(disagreementLines);
  const table = fitting(rows, ROOM / (apart.length + 1), (row) => row.join("\n").length);
  return [
    ...(rows.length === 0 ? [] : [`lines of output that are not the same everywhere: ${rows.length}`]),
    ...table.shown.flat(),
    ...(table.left === 0 ? [] : [`[${table.left} more such lines; read_check shows a whole output]`]),
    ...apart.flatMap((each) => apartLines(each, ROOM / (apart.length + 1))),
  ];
}

function disagreementLines({ line, sides }: Disagreement): string[] {
  return sides.map(({ labels, text }) => foreign(`${line} ${labels.join(" ")}`, text));
}

function apartLines({ cluster, only, lacks }: Apart, room: number): string[] {
  const rows = [
    ...only.map(({ line, text }) => foreign(`+${line}`, text)),
    ...lacks.map(({ line, text }) => foreign(`-${line}`, text)),
  ];
  if (rows.length === 0) return [];
  const { shown, left } = fitting(rows, room, (row) => row.length + 1);
  return [
    `${cluster.labels.join(" ")} beside the first kind, + only here, - only there:`,
    ...shown,
    ...(left === 0 ? [] : [`[${left} more such lines; read_check shows a whole output]`]),
  ];
}
