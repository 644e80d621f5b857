import type { Rollout } from "../schema/group.ts";
import type { Trajectory } from "../schema/trajectory.ts";
import { isFolder, readConversation } from "./conversation.ts";
import { readNamed } from "./files.ts";
import { notesAt, type Warn } from "./notes.ts";
import { readTrajectoryText, readTrajectoryValue } from "./trajectories/detect.ts";
import { decodeText, wellFormed } from "./unicode.ts";

/**
 * The trajectory of a rollout, normalised, or undefined when the group gives none.
 * @throws GraderError `bad_input` when its path leaves the group's folder.
 */
export async function readTrajectory(
  rollout: Rollout,
  root: string,
  warn: Warn,
): Promise<Trajectory | undefined> {
  if (rollout.trajectory !== undefined && rollout.trajectory !== null)
    return readTrajectoryValue(
      rollout.trajectory,
      notesAt(warn, { rollout: rollout.id, field: "trajectory" }),
    );
  if (rollout.trajectory_path === undefined) return undefined;
  const where = { rollout: rollout.id, field: "trajectory_path" };
  if (await isFolder(root, rollout.trajectory_path, where))
    return readConversation(root, rollout.trajectory_path, { rollout: rollout.id }, warn);
  const text = await readTextFile(rollout, "trajectory_path", rollout.trajectory_path, root, warn);
  if (text === undefined) return undefined;
  return readTrajectoryText(text, notesAt(warn, { file: rollout.trajectory_path, rollout: rollout.id }));
}

/**
 * The recorded output of the tests, or undefined when the group gives none.
 * @throws GraderError `bad_input` when its path leaves the group's folder.
 */
export async function readTestOutput(
  rollout: Rollout,
  root: string,
  warn: Warn,
): Promise<string | undefined> {
  if (rollout.test_output !== undefined) return wellFormed(rollout.test_output);
  if (rollout.test_output_path === undefined) return undefined;
  return readTextFile(rollout, "test_output_path", rollout.test_output_path, root, warn);
}

async function readTextFile(
  rollout: Rollout,
  field: string,
  named: string,
  root: string,
  warn: Warn,
): Promise<string | undefined> {
  const bytes = await readNamed(root, named, { rollout: rollout.id, field }, warn);
  if (bytes === undefined) return undefined;
  const { text, lossy } = decodeText(bytes);
  const where = { file: named, rollout: rollout.id };
  if (lossy) warn({ code: "text_not_utf8", message: "not UTF-8; what is not became U+FFFD", where });
  return text;
}
