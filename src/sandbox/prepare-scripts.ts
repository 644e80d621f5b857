import { INPUT_DIR, PREPARED } from "./types.ts";

/**
 * What runs, as root, in the container that a prepared image is made from. Its tools are the image's: nothing of a
 * rollout is there yet.
 */
const PRELUDE = "image=$PATH; PATH=/usr/sbin:/usr/bin:/sbin:/bin; export PATH; umask 022";

/** What boxes need of an image. Says what is missing, so that nobody has to guess it from a failed command. */
const TOOLS = "cat chmod chown cp dd du find head ls mkdir mv rm sed tar tr wc xargs";

/**
 * Says which tools the image lacks, and whether a network that was asked for is there: an engine without one gives none
 * and says nothing. $1: `network`, or nothing.
 */
export const CHECK = `${PRELUDE}
missing=
for tool in ${TOOLS}; do command -v "$tool" >/dev/null || missing="$missing $tool"; done
[ -z "$missing" ] || { echo "the image lacks$missing" >&2; exit 1; }
# Two lines of titles and the loopback device.
[ -z "$1" ] || [ "$(wc -l </proc/net/dev)" -gt 3 ] ||
  { echo "the setup needs a network, and this engine gives containers none" >&2; exit 1; }`;

/** Fills the work folder. $1: work folder; $2: folder under /input, or nothing. */
export const BEGIN = `${PRELUDE}
mkdir -p "$1" || exit 1
[ -n "$2" ] || [ -n "$(ls -A "$1")" ] || { echo "the image has nothing in $1" >&2; exit 1; }
[ -z "$2" ] || { find "$1" -mindepth 1 -delete && cp -a "${INPUT_DIR}/$2/." "$1/"; }`;

/** $1: work folder; $2: command. */
export const SETUP = `cd "$1" && exec /bin/sh -c "$2" 2>&1`;

/** Folder of what is kept beside the work folder. */
const KEPT = PREPARED.slice(0, PREPARED.lastIndexOf("/"));

/** Paths that the image's git tracks in the work folder, each ended by NUL; missing where there is no answer. */
export const TRACKED = `${KEPT}/tracked`;

/**
 * Moves the work folder's content to where no box mounts anything, owned by the user that runs code, and prints its
 * size: \`KIBIBYTES FILES\`. The image's own git says, in here, what it tracks; .git is left behind. Interpreters that lie
 * in root's home are made reachable. $1: work folder; $2: whether git is asked.
 */
export const KEEP = `${PRELUDE}
mkdir -p ${PREPARED} || exit 1
cd "$1" || exit 1
if [ "$2" = yes ]; then
  printf '[safe]\\n\\tdirectory = *\\n' >/tmp/.gitconfig
  tracked() { HOME=/tmp PATH=$image git ls-files -z "$@" >${TRACKED} 2>/dev/null; }
  { tracked --recurse-submodules || tracked; } && [ -s ${TRACKED} ] || rm -f ${TRACKED}
fi
for name in * .[!.]* ..?*; do
  [ "$name" = .git ] && continue
  { [ -e "$name" ] || [ -L "$name" ]; } || continue
  mv -- "$name" ${PREPARED}/ || exit 1
done
cd /
chown -R -h 65534:65534 ${PREPARED} && chmod -R u+rX ${PREPARED} || exit 1
[ ! -d /root ] || chmod go+x /root
set -- $(du -sk ${PREPARED})
echo "$1 $(find ${PREPARED} | wc -l)"`;
