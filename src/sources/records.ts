import { isUtf8 } from "node:buffer";
import type { Warning } from "../errors.ts";
import type { Rollout } from "../schema/group.ts";
import type { Trajectory } from "../schema/trajectory.ts";
import { isFolder, readConversation } from "./conversation.ts";
import { readNamed } from "./files.ts";
import { readInspectLog } from "./inspect/index.ts";
import { isZip } from "./inspect/zip.ts";
import { notesAt, type Warn } from "./notes.ts";
import { optional } from "./shape.ts";
import { readTrajectoryBytes, readTrajectoryValue } from "./trajectories/detect.ts";
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
  const named = rollout.trajectory_path;
  if (named === undefined) return undefined;
  const where = { rollout: rollout.id, field: "trajectory_path" };
  if (await isFolder(root, named, where)) return readConversation(root, named, { rollout: rollout.id }, warn);
  const bytes = await readNamed(root, named, where, warn);
  if (bytes === undefined) return undefined;
  const note = notesAt(warn, { file: named, rollout: rollout.id });
  const log = isZip(bytes) ? readInspectLog(bytes, note) : undefined;
  if (log !== undefined)
    return readTrajectoryValue(
      {
        ...optional("version", log.version),
        eval: { task: log.task ?? "" },
        samples: log.samples.map(({ trajectory }) => trajectory),
      },
      note,
    );
  if (!isUtf8(bytes)) warn(notUtf8(named, rollout));
  return readTrajectoryBytes(bytes, note);
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
  const named = rollout.test_output_path;
  const bytes = await readNamed(root, named, { rollout: rollout.id, field: "test_output_path" }, warn);
  return bytes === undefined ? undefined : textOf(bytes, named, rollout, warn);
}

function textOf(bytes: Buffer, named: string, rollout: Rollout, warn: Warn): string {
  const { text, lossy } = decodeText(bytes);
  if (lossy) warn(notUtf8(named, rollout));
  return text;
}

function notUtf8(file: string, rollout: Rollout): Warning {
  const message = "not UTF-8; what is not became U+FFFD";
  return { code: "text_not_utf8", message, where: { file, rollout: rollout.id } };
}
