import { hostname } from "node:os";
import { KEEPER } from "./scripts.ts";
import { INPUT_DIR, type Limits } from "./types.ts";

/** Who the keeper runs as, and owns /input; and who commands run as, and owns what is laid. Neither is root. */
export const KEEPER_USER = 65_533;
export const CODE_USER = 65_534;

/** Marks every container of ours, for the reaper; its value says what it is for. */
export const LABEL = "gagar.sandbox";
/** Seconds since 1970 after which a container is removed, whoever started it. */
export const EXPIRES_LABEL = "gagar.sandbox.expires";
/** Host and process that started a container, for people who look for where it comes from. */
export const OWNER_LABEL = "gagar.sandbox.owner";
export const OWNER = `${hostname()}:${process.pid}`;

export interface ContainerInput {
  image: string;
  /** Names of the variables that the image sets. */
  variables: readonly string[];
  /** Folders that the image declares as volumes: without a mount of ours the engine would give each one a disk. */
  volumes: readonly string[];
  workdir: string;
  limits: Limits;
  /** Processors of the engine's machine. */
  processors: number;
  runtime?: string;
  /** Seconds since 1970. */
  expires: number;
}

/** Environment of everything in a container. */
const OWN_ENV: Record<string, string> = { PATH: "/usr/bin:/bin", HOME: "/tmp", LANG: "C.UTF-8" };

/** Where programs are looked for when the image does not say. */
const DEFAULT_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Environment of commands: what the image sets, but for the home, which is for another user. */
export const commandEnv = (image: Record<string, string>): Record<string, string> => ({
  ...OWN_ENV,
  PATH: DEFAULT_PATH,
  ...image,
  HOME: "/tmp",
});

export const asLines = (env: Record<string, string>): string[] =>
  Object.entries(env).map(([name, value]) => `${name}=${value}`);

/**
 * How a box's container is created. Nothing of the host goes in: no bind, no volume, no network, no capability, no
 * device, no variable. Everything that can be written is a tmpfs with a size and a number of files.
 */
export function containerOptions(input: ContainerInput) {
  const { limits, workdir } = input;
  const keepers = (mode: number) => `mode=${mode},uid=${KEEPER_USER},gid=${KEEPER_USER}`;
  const tmpfs = (bytes: number, files: number, rest: string) =>
    `rw,nosuid,nodev,${rest},size=${bytes},nr_inodes=${files}`;
  const temp = tmpfs(limits.temp_bytes, limits.work_files, "exec,mode=1777");
  const ulimit = (name: string, value: number) => ({ Name: name, Soft: value, Hard: value });
  return {
    Image: input.image,
    User: `${KEEPER_USER}:${KEEPER_USER}`,
    Hostname: "box",
    WorkingDir: "/",
    Entrypoint: ["/bin/sh", "-c", KEEPER, "keeper", workdir],
    Cmd: [],
    // A name without a value is taken away. What an image sets is given to commands alone: the keeper, and what lays
    // files between rollouts, must not load a library from a folder that code under test can write.
    Env: [...input.variables.filter((name) => !(name in OWN_ENV)), ...asLines(OWN_ENV)],
    Healthcheck: { Test: ["NONE"] },
    Labels: { [LABEL]: "box", [OWNER_LABEL]: OWNER, [EXPIRES_LABEL]: String(input.expires) },
    AttachStdin: true,
    AttachStdout: true,
    AttachStderr: true,
    OpenStdin: true,
    // The keeper's input ends when we are gone, and with the keeper everything else.
    StdinOnce: true,
    Tty: false,
    NetworkDisabled: true,
    HostConfig: {
      AutoRemove: false,
      Binds: [],
      CapDrop: ["ALL"],
      CgroupnsMode: "private",
      Init: true,
      IpcMode: "private",
      LogConfig: { Type: "none", Config: {} },
      Memory: limits.memory_bytes,
      MemorySwap: limits.memory_bytes,
      NanoCpus: Math.round(Math.min(limits.cpus, input.processors) * 1e9),
      NetworkMode: "none",
      PidsLimit: limits.pids,
      Privileged: false,
      ReadonlyRootfs: true,
      ...(input.runtime === undefined ? {} : { Runtime: input.runtime }),
      SecurityOpt: ["no-new-privileges"],
      Tmpfs: {
        ...Object.fromEntries(input.volumes.map((path) => [path, temp])),
        [INPUT_DIR]: tmpfs(limits.input_bytes, limits.input_files, `exec,noatime,${keepers(755)}`),
        // Not the code's own, and sticky: attributes of the folder itself could not be emptied between rollouts.
        [workdir]: tmpfs(limits.work_bytes, limits.work_files, `exec,${keepers(1777)}`),
        "/tmp": temp,
        "/dev/shm": tmpfs(Math.min(limits.temp_bytes, 64 * 1024 * 1024), 4096, "noexec,mode=1777"),
      },
      Ulimits: [
        ulimit("core", 0),
        ulimit("fsize", limits.file_bytes),
        ulimit("nofile", limits.open_files),
        // Counted over all boxes, since they share a user: a backstop, while PidsLimit is the limit of each.
        ulimit("nproc", 8192),
      ],
    },
  };
}

/** What root needs to install packages and to give files to others; none of it reaches beyond the container. */
const BUILDER_RIGHTS = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "SETGID", "SETUID"];

/**
 * How the container is created that a prepared image is made from: a box whose file system can be written, and that has
 * the engine's default network if it was asked for. Its keeper is root: a process that is not, and may get no new
 * privileges, hands none on to a command.
 */
export function builderOptions(input: ContainerInput, network: boolean) {
  const { HostConfig, Labels, ...options } = containerOptions(input);
  const { [input.workdir]: _work, ...Tmpfs } = HostConfig.Tmpfs;
  return {
    ...options,
    User: "0:0",
    Entrypoint: ["/bin/sh", "-c", KEEPER, "keeper", ""],
    // The image's variables are the prepared one's, too.
    Env: [],
    Labels: { ...Labels, [LABEL]: "builder" },
    NetworkDisabled: !network,
    HostConfig: {
      ...HostConfig,
      CapAdd: BUILDER_RIGHTS,
      NetworkMode: network ? "default" : "none",
      ReadonlyRootfs: false,
      Tmpfs,
    },
  };
}
