import type { Rollout } from "../schema/group.ts";
import { readNamed } from "./files.ts";
import type { Warn } from "./notes.ts";
import { readTrajectory } from "./records.ts";
import { decodeText } from "./unicode.ts";

/** A submitted patch before anyone has looked into it. */
export interface PatchText {
  /**
   * Null and absent are not empty: nothing is known about what the rollout changed. Unparsable is text without a single
   * header of a diff; what looks like a diff and is none is found out when it is applied.
   */
  state: "present" | "empty" | "null" | "absent" | "unparsable";
  /** For people: what is not UTF-8 became U+FFFD. */
  text: string;
  /** As submitted, but for blank lines in front of the first header. This is what has to be applied. */
  bytes: Buffer;
}

/**
 * The patch of a rollout: the one that the group gives, else what the trajectory says was submitted, with a warning.
 * @throws GraderError `bad_input` when its path leaves the group's folder.
 */
export async function readPatch(rollout: Rollout, root: string, warn: Warn): Promise<PatchText> {
  if (rollout.patch === null) return nothing("null");
  if (rollout.patch !== undefined) return patchOf(Buffer.from(rollout.patch), rollout, "patch", warn);
  if (rollout.patch_path !== undefined) {
    const where = { rollout: rollout.id, field: "patch_path" };
    const bytes = await readNamed(root, rollout.patch_path, where, warn);
    if (bytes !== undefined) return patchOf(bytes, rollout, "patch_path", warn);
  }
  // What is wrong with the trajectory is told when it is read for itself.
  const trajectory = await readTrajectory(rollout, root, () => undefined);
  if (trajectory?.submission === undefined) return nothing("absent");
  warn({
    code: "patch_from_trajectory",
    message: "no patch is given; the trajectory's submission is taken",
    where: { rollout: rollout.id },
  });
  return patchOf(Buffer.from(trajectory.submission), rollout, "trajectory", warn);
}

function nothing(state: "null" | "absent"): PatchText {
  return { state, text: "", bytes: Buffer.alloc(0) };
}

function patchOf(given: Buffer, rollout: Rollout, field: string, warn: Warn): PatchText {
  const bytes = withoutLeadingBlankLines(given);
  if (bytes.length === 0) return { state: "empty", text: "", bytes };
  const { text, lossy } = decodeText(bytes);
  if (lossy)
    warn({
      code: "patch_not_utf8",
      message: "not UTF-8; shown with replacement characters, applied as it is",
      where: { rollout: rollout.id, field },
    });
  else if (text.includes("\ufffd"))
    warn({
      code: "patch_lossy",
      message: "holds U+FFFD, which stands where bytes were lost before it got here; it may not apply",
      where: { rollout: rollout.id, field },
    });
  return { state: HEADER.test(text) ? "present" : "unparsable", text, bytes };
}

/** What no diff is without: the header of a file or of a hunk. */
const HEADER = /^(?:diff --git |@@ -\d|--- .*\r?\n\+\+\+ )/m;

/** Behind the last line feed that only white space precedes; nothing when there is only white space. */
function withoutLeadingBlankLines(bytes: Buffer): Buffer {
  let start = 0;
  for (let at = 0; ; at++) {
    const byte = bytes[at];
    if (byte === undefined) return Buffer.alloc(0);
    if (byte === 10) start = at + 1;
    else if (byte !== 13 && byte !== 32 && byte !== 9) return bytes.subarray(start);
  }
}
