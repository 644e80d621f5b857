import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, posix } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

export const CONTROLLERS = ["memory", "pids", "cpu"] as const;
export type Controller = (typeof CONTROLLERS)[number];

/** Limits on a group of processes, kept by the kernel. */
export interface Cgroup {
  /** Those that could be had on this machine. */
  controllers: ReadonlySet<Controller>;
  /** A process that writes its id to each of these files is in the group. */
  joinFiles: string[];
  oomKills(): Promise<number>;
  /** Kills every process in the group and removes it. */
  remove(): Promise<void>;
}

interface Hierarchy {
  /** The folder in which groups of ours are made. */
  parent: string;
  version: 1 | 2;
}

const PREFIX = "gagar-";
/** How often, 10 ms apart, the processes of a group are given time to end by themselves. */
const PATIENT_TRIES = 30;
let made = 0;

/** Makes a group below, or beside, the one that we are in. What is not ours to write is left out. */
export async function createCgroup(limits: {
  memory_bytes: number;
  pids: number;
  cpus: number;
}): Promise<Cgroup> {
  const name = `${PREFIX}${process.pid}-${(made += 1)}`;
  const period = 100_000;
  const quota = Math.round(limits.cpus * period);
  const files: Record<Controller, Record<1 | 2, [string, string][]>> = {
    memory: {
      1: [
        ["memory.limit_in_bytes", String(limits.memory_bytes)],
        ["memory.memsw.limit_in_bytes", String(limits.memory_bytes)],
      ],
      2: [
        ["memory.max", String(limits.memory_bytes)],
        ["memory.swap.max", "0"],
      ],
    },
    pids: { 1: [["pids.max", String(limits.pids)]], 2: [["pids.max", String(limits.pids)]] },
    cpu: {
      1: [
        ["cpu.cfs_period_us", String(period)],
        ["cpu.cfs_quota_us", String(quota)],
      ],
      2: [["cpu.max", `${quota} ${period}`]],
    },
  };
  const controllers = new Set<Controller>();
  const folders = new Map<string, 1 | 2>();
  const hierarchies = await findHierarchies();
  for (const controller of CONTROLLERS) {
    const hierarchy = hierarchies.get(controller);
    if (hierarchy === undefined) continue;
    const folder = join(hierarchy.parent, name);
    try {
      await mkdir(folder, { recursive: true });
      folders.set(folder, hierarchy.version);
      const [needed, ...others] = files[controller][hierarchy.version];
      if (needed !== undefined) await writeFile(join(folder, needed[0]), needed[1]);
      // A kernel that does not account for swap has no file for it.
      for (const [file, value] of others) await writeFile(join(folder, file), value).catch(() => {});
      controllers.add(controller);
    } catch {
      // Not ours to write; the caller is told which limits there are.
    }
  }
  const memory = hierarchies.get("memory");
  if (!(await canJoin([...folders.keys()]))) {
    for (const folder of folders.keys()) await removeFolder(folder);
    folders.clear();
    controllers.clear();
  }
  return {
    controllers,
    joinFiles: [...folders.keys()].map((folder) => join(folder, "cgroup.procs")),
    oomKills: async () =>
      memory === undefined || !controllers.has("memory")
        ? 0
        : readOomKills(join(memory.parent, name), memory.version),
    remove: async () => {
      for (const folder of folders.keys()) await removeFolder(folder);
    },
  };
}

/** Making a group is one right and moving a process into it another. */
async function canJoin(folders: readonly string[]): Promise<boolean> {
  const files = folders.map((folder) => join(folder, "cgroup.procs"));
  const script = 'for file do echo $$ >"$file" || exit 1; done';
  return promisify(execFile)("/bin/sh", ["-c", script, "join", ...files]).then(
    () => true,
    () => false,
  );
}

/** Removes the groups of graders that are gone, with what still runs in them. */
export async function reapCgroups(): Promise<void> {
  const parents = new Set([...(await findHierarchies()).values()].map(({ parent }) => parent));
  for (const parent of parents)
    for (const name of await readdir(parent).catch(() => []))
      if (name.startsWith(PREFIX) && !isAlive(Number(name.slice(PREFIX.length).split("-")[0])))
        await removeFolder(join(parent, name));
}

/**
 * Its processes as a rule end with what started them. An id that was read can be another process's by the time of a kill
 * (a fork bomb goes through all of them in a second), so killing by id is left to what does not end by itself.
 */
async function removeFolder(folder: string): Promise<void> {
  await writeFile(join(folder, "cgroup.kill"), "1").catch(() => {});
  for (let tries = 0; tries < 200; tries += 1) {
    if (tries >= PATIENT_TRIES) {
      const ids = await readFile(join(folder, "cgroup.procs"), "utf8").catch(() => "");
      for (const id of ids.split("\n").filter((line) => line !== "")) endProcess(Number(id));
    }
    const error: unknown = await rmdir(folder).catch((reason: unknown) => reason);
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    // EBUSY lasts until the last process is gone.
    if (code !== "EBUSY") return;
    await delay(10);
  }
}

function endProcess(id: number): void {
  try {
    process.kill(id, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

async function readOomKills(folder: string, version: 1 | 2): Promise<number> {
  const file = version === 1 ? "memory.oom_control" : "memory.events";
  const text = await readFile(join(folder, file), "utf8").catch(() => "");
  return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0);
}

/** Where each controller is, on systems with version 1, version 2 or both. */
async function findHierarchies(): Promise<Map<Controller, Hierarchy>> {
  const found = new Map<Controller, Hierarchy>();
  const own = await readFile("/proc/self/cgroup", "utf8").catch(() => "");
  const mounts = await readFile("/proc/self/mountinfo", "utf8").catch(() => "");
  for (const line of mounts.split("\n")) {
    const [front = "", back = ""] = line.split(" - ");
    const [, , , root = "/", point = ""] = front.split(" ");
    const [type, , options = ""] = back.split(" ");
    if (type !== "cgroup" && type !== "cgroup2") continue;
    const names = type === "cgroup" ? options.split(",") : [""];
    const path = own
      .split("\n")
      .map((entry) => /^\d+:([^:]*):(.*)$/.exec(entry))
      .find((match) => names.some((name) => (match?.[1] ?? "-").split(",").includes(name)))?.[2];
    if (path === undefined) continue;
    const folder = join(point, posix.relative(root, path));
    if (type === "cgroup")
      for (const controller of CONTROLLERS.filter((name) => names.includes(name)))
        found.set(controller, { parent: folder, version: 1 });
    else {
      const parent = await delegated(folder, point);
      for (const controller of CONTROLLERS)
        if (parent !== undefined && !found.has(controller)) found.set(controller, { parent, version: 2 });
    }
  }
  return found;
}

/**
 * In version 2 a group with processes has no children with limits: the nearest group above ours that hands memory and
 * pids down is the place.
 */
async function delegated(folder: string, top: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const handed = await readFile(join(at, "cgroup.subtree_control"), "utf8").catch(() => "");
    const names = handed.trim().split(" ");
    if (names.includes("memory") && names.includes("pids")) return at;
    if (at === top || basename(at) === "") return undefined;
  }
}
