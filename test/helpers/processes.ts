import { readdir, readFile } from "node:fs/promises";

/** Processes that this one has started, at any depth, and that still run; and their control groups' names. */
export async function ownProcesses(): Promise<string[]> {
  const parents = new Map<number, { parent: number; name: string }>();
  for (const entry of await readdir("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const stat = await readFile(`/proc/${entry}/stat`, "utf8").catch(() => "");
    const match = /\((.*)\) (\w) (\d+)/s.exec(stat);
    if (match !== null && match[2] !== "Z")
      parents.set(Number(entry), { parent: Number(match[3]), name: match[1] ?? "" });
  }
  const below = (id: number): boolean => {
    const parent = parents.get(id)?.parent;
    return parent !== undefined && (parent === process.pid || below(parent));
  };
  const groups = await readdir("/sys/fs/cgroup", { recursive: true }).catch(() => []);
  return [
    ...[...parents].filter(([id]) => below(id)).map(([id, { name }]) => `${id} ${name}`),
    ...groups.filter((path) => path.split("/").at(-1)?.startsWith(`gagar-${process.pid}-`) === true),
  ];
}

/** Processes of this machine that have a word in their command line. */
export async function processesWith(word: string): Promise<string[]> {
  const found: string[] = [];
  for (const id of await readdir("/proc")) {
    if (!/^\d+$/.test(id)) continue;
    const line = await readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "");
    if (line.includes(word)) found.push(`${id} ${line.slice(0, 80)}`);
  }
  return found;
}
