import type { Controller } from "./cgroup.ts";
import { INPUT_DIR, type Limits } from "./types.ts";

/** Who commands run as; on the host, too, when we are root. */
const CODE_USER = "65534";

/**
 * Where the box's folders are mounted, in a mount namespace that nobody else sees. /sys is there on every Linux, and
 * nothing that a box is shown lies below it.
 */
const HOLD = "/sys";

const words = (text: string) => text.split(" ");

/** Environment of what is run on the host. */
export const HOST_ENV = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", LC_ALL: "C" };

/** As root we become somebody else for good before any namespace is made. */
const asUser = (): string[] =>
  process.getuid?.() === 0
    ? words(`setpriv --reuid ${CODE_USER} --regid ${CODE_USER} --clear-groups --`)
    : [];

/**
 * Mounts the folders ($1: options of the input folder, $2: work, $3: temporary, $4: shared memory) and waits. With every
 * line on its input it mounts all but the input anew: nothing of the old ones is left, not even their attributes.
 */
const HOLDER = `set -e
lay() {
  for name in work tmp shm; do
    mount -t tmpfs -o "mode=755,nosuid,nodev,$1" gagar ${HOLD}/$name; shift
  done
}
mount -t tmpfs -o mode=755,size=64k gagar ${HOLD}
mkdir ${HOLD}/input ${HOLD}/work ${HOLD}/tmp ${HOLD}/shm
mount -t tmpfs -o "mode=755,nosuid,nodev,noatime,$1" gagar ${HOLD}/input; shift
lay "$@"
echo "ready $$"
while read -r _; do
  for name in work tmp shm; do umount -l ${HOLD}/$name; done
  lay "$@"
  echo renewed
done`;

/** Starts the process that keeps a box's folders: they are gone with it, and it goes with its standard input. */
export function holderCommand(limits: Limits): string[] {
  const folder = (bytes: number, files: number) => `size=${bytes},nr_inodes=${files}`;
  return [
    ...asUser(),
    ...words("unshare --user --map-root-user --mount --propagation private /bin/sh -c"),
    HOLDER,
    "holder",
    folder(limits.input_bytes, limits.input_files),
    folder(limits.work_bytes, limits.work_files),
    folder(limits.temp_bytes, limits.work_files),
    folder(Math.min(limits.temp_bytes, 64 * 1024 * 1024), 4096),
  ];
}

/**
 * A namespace of processes around bubblewrap's own. Bubblewrap leaves before its inner init is dead and reaped; without
 * this the host's process 1 would have to reap it, and where that is slow, or is a Node.js that reaps nobody, every
 * command would leave a process that counts against the box's limit. It ends when bubblewrap does, and with it all that
 * is in it; and when we do.
 */
const OUTER = [
  ...words("setpriv --pdeathsig SIGKILL --"),
  ...words("unshare --pid --mount-proc --fork --kill-child --"),
];

/** Joins the control groups named before `--`, then becomes the command after it. */
const JOIN = 'while [ "$1" != -- ]; do echo $$ >"$1" || exit 1; shift; done; shift; exec "$@"';

export interface BubblewrapCommand {
  holder: number;
  /** Files of control groups to join, and what these limit. */
  joinFiles: readonly string[];
  controllers: ReadonlySet<Controller>;
  limits: Limits;
  /** What shows the programs (`rootArguments`). */
  root: readonly string[];
  workdir: string;
  /** For filling /input; code under test never gets it. */
  inputWritable: boolean;
  /** Whether a filter of system calls is handed over on descriptor 4. */
  filtered: boolean;
  env: Record<string, string>;
  argv: readonly string[];
}

/**
 * One command in namespaces of its own over the folders of a box. Its end is reported on descriptor 3.
 * Limits of single processes stand for memory and the number of processes only where no control group keeps them.
 */
export function boxCommand(command: BubblewrapCommand): string[] {
  const { limits, controllers } = command;
  const env = { PATH: HOST_ENV.PATH, HOME: "/tmp", LANG: "C.UTF-8", ...command.env };
  return [
    "/bin/sh",
    "-c",
    JOIN,
    "join",
    ...command.joinFiles,
    "--",
    ...asUser(),
    ...words(`prlimit --core=0 --fsize=${limits.file_bytes} --nofile=${limits.open_files}`),
    ...(controllers.has("pids") ? [] : [`--nproc=${limits.pids}`]),
    ...(controllers.has("memory") ? [] : [`--data=${limits.memory_bytes}`]),
    ...words(`-- nsenter --target ${command.holder} --user --mount --preserve-credentials --`),
    ...OUTER,
    ...words("bwrap --unshare-all --unshare-user --disable-userns --die-with-parent --new-session"),
    ...words(`--uid ${CODE_USER} --gid ${CODE_USER} --hostname box --cap-drop ALL --clearenv`),
    ...command.root,
    command.inputWritable ? "--bind" : "--ro-bind",
    `${HOLD}/input`,
    INPUT_DIR,
    "--bind",
    `${HOLD}/work`,
    command.workdir,
    ...words(`--bind ${HOLD}/tmp /tmp --proc /proc --dev /dev --bind ${HOLD}/shm /dev/shm`),
    ...words("--remount-ro /dev --remount-ro / --chdir / --json-status-fd 3"),
    ...(command.filtered ? words("--seccomp 4") : []),
    ...Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]),
    "--",
    ...command.argv,
  ];
}
