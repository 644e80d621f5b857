import { INPUT_DIR, PREPARED } from "./types.ts";

/**
 * The shell scripts that run inside a box, for any POSIX sh. Their tools come from the image, which code under test
 * cannot change; PATH is set here so that no folder of the work tree is ever searched.
 */
const PRELUDE = "PATH=/usr/bin:/bin; export PATH; umask 022; cd /";

/** Block size of what is sent to the keeper, in bytes: every piece is a whole number of these. */
export const KEEPER_BLOCK = 65_536;

/**
 * Makes $dir anew from a tar on standard input, or keeps the tar itself under a name that ends in .tar. All input is
 * read, so that its sender never breaks off.
 */
const UNPACK = `rm -rf "$dir"
  case $dir in
  *.tar) message=$(cat 2>&1 >"$dir"); status=$?;;
  *) mkdir "$dir"; message=$(tar -x -f - -C "$dir" 2>&1); status=$?;;
  esac
  cat >/dev/null
  [ "$status" = 0 ] || message="tar ended with status $status: $(printf %s "$message" | head -n 3 | tr '\\n' ' ')"`;

/** Lays a folder under /input. $1: its name. */
export const PUT = `${PRELUDE}
dir="${INPUT_DIR}/$1"
${UNPACK}
[ "$status" = 0 ] || { echo "$message" >&2; exit 1; }`;

/**
 * The main process of a container. It runs as a user of its own, which owns /input: code under test can neither write
 * there nor reach this process. It ends with its standard input, and the container with it, so that nothing goes on
 * running when the grader dies. $1: work folder, or nothing; a mount over a folder of the image can come with its mode.
 *
 * - \`put NAME\`, then pieces of a tar: a line with a number of blocks, and the blocks; a line \`0\` ends it.
 *   Answer: \`put ok\` or \`put REASON\`.
 * - \`state\`. Answer: \`state PROCESSES OOM_KILLS IPC_KINDS\`. It starts no process, so it answers at the limit too.
 */
export const KEEPER = `${PRELUDE}
[ -z "$1" ] || chmod 1777 "$1"
while read -r word name; do
case $word in
put)
  dir="${INPUT_DIR}/$name"
  while read -r blocks && [ "$blocks" != 0 ]; do
    dd bs=${KEEPER_BLOCK} iflag=fullblock count="$blocks" status=none
  done | {
  ${UNPACK}
  if [ "$status" = 0 ]; then echo put ok; else echo "put $message"; fi
  };;
state)
  set -- /proc/[0-9]*; processes=$#
  kills=0
  for file in /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control; do
    [ -r "$file" ] || continue
    while read -r key value; do [ "$key" = oom_kill ] && kills=$value; done <"$file"
  done
  objects=0
  for file in /proc/sysvipc/shm /proc/sysvipc/msg /proc/sysvipc/sem; do
    [ -r "$file" ] || continue
    # After a line of titles: one is as good as many, and there can be very many.
    { read -r line; read -r line && objects=$((objects + 1)); } <"$file"
  done
  for file in /dev/mqueue/* /dev/mqueue/.[!.]*; do [ -e "$file" ] && objects=$((objects + 1)); done
  echo "state $processes $kills $objects";;
esac
done`;

/**
 * Lays the work folder. $1: work folder; $2: bytes of the list of paths to remove, each ended by NUL, that stands on
 * standard input before a tar; $3: folder to copy, archive to unpack, or nothing; $4: `all` to empty all that commands can write first and
 * to copy, `over` to do neither; $5: the folders that are emptied, a line each.
 */
export const LAY = `image=$PATH; ${PRELUDE}
empty() { [ -z "$(find "$@" -mindepth 1 2>&1)" ]; }
wipe() {
  find "$@" -mindepth 1 -delete 2>/dev/null && return
  empty "$@" && return
  find "$@" -mindepth 1 -exec chmod u+rwX {} ";" 2>/dev/null
  find "$@" -mindepth 1 -delete
  empty "$@"
}
lay() {
  root=$1 bytes=$2 source=$3 from=$3 manner=$4
  IFS='
'; set -f; set -- $5; set +f; unset IFS
  [ "$manner" != all ] || wipe "$@" || exit 1
  [ "$manner" = all ] || from=
  case $from in
  "");;
  *.tar) tar -x -f "$from" -C "$root" || exit 1;;
  *)
    cd "$from" || exit 1
    find . -mindepth 1 -maxdepth 1 -exec sh -c 'to=$1; shift; exec cp -a -- "$@" "$to"' sh "$root" {} + || exit 1;;
  esac
  cd "$root" || exit 1
  [ "$bytes" = 0 ] || dd bs="$bytes" count=1 iflag=fullblock status=none | xargs -0 rm -rf -- || exit 1
  # Make and its like compare times: what a rollout changed is newer than what was built before it came.
  touch=; [ "$source" != "${PREPARED}" ] || touch=-m
  exec tar -x $touch -f -
}
[ "$4" != all ] || kill -9 -1 2>/dev/null
said=$(lay "$@" 2>&1) || { printf '%s\\n' "$said" >&2; exit 1; }`;

/** What LAY_AND_RUN prints when files are laid, before the command begins. */
export const LAID = "laid\n";

/**
 * The same, and then a command: after the arguments of LAY the folder to run it in, how many variables are set for it,
 * the variables, program and arguments.
 */
export const LAY_AND_RUN = `${LAY}
echo laid
shift 5
PATH=$image; unset image said
cd -- "$1" || exit 126
gagar_left=$2; shift 2
while [ "$gagar_left" -gt 0 ]; do export "$1"; shift; gagar_left=$((gagar_left - 1)); done
unset OLDPWD gagar_left
exec "$@" </dev/null`;

/** Ends every process of the user that commands run as, but not itself. */
export const SWEEP = "kill -9 -1 2>/dev/null; exit 0";

/** Runs a command in a folder. $1: folder; the rest: program and arguments. Statuses 126 and 127 as in every shell. */
export const RUN = 'cd -- "$1" || exit 126; unset OLDPWD; shift; exec "$@"';

/** What the statuses of READ mean. */
export const READ_STATUS = {
  20: "missing",
  21: "directory",
  22: "not_a_file",
  23: "denied",
  24: "too_large",
} as const;

/** Prints a regular file. $1: path; $2: most bytes. */
export const READ = `PATH=/usr/bin:/bin
[ -L "$1" ] && exit 22
[ -e "$1" ] || exit 20
[ -d "$1" ] && exit 21
[ -f "$1" ] || exit 22
[ -r "$1" ] || exit 23
[ "$(wc -c <"$1")" -le "$2" ] || exit 24
exec cat -- "$1"`;
