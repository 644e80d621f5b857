import { asGraderError, type Warning } from "../errors.ts";
import type { Group, Rollout } from "../schema/group.ts";
import type { Trajectory } from "../schema/trajectory.ts";
import {
  type LoadedGroup,
  type PartialGroup,
  type PatchText,
  readPatch,
  readTestOutput,
  readTrajectory,
  type ResultVerdict,
} from "../sources/index.ts";

/** What gagar reads of one group: the JSON that `gagar show --json` prints. Null is unknown or not given. */
export interface GroupView {
  group_id: string;
  source: string;
  task: Group["task"];
  /** Null where nothing says: such a group cannot be graded. */
  repo: Group["repo"] | null;
  tests: NonNullable<Group["tests"]> | null;
  rollouts: RolloutView[];
  warnings: Warning[];
}

export interface RolloutView {
  id: string;
  passed: boolean | null;
  reward: number | null;
  advantage: number | null;
  trajectory: TrajectoryView | null;
  patch: { state: PatchText["state"]; bytes: number; files: number };
  test_output_bytes: number | null;
  /** What each source says, where verdicts were found beside the rollouts. */
  verdicts: readonly ResultVerdict[];
  /** Trainable tokens as given, else what the model wrote as its record says. */
  tokens: number | null;
  warnings: number;
}

export interface TrajectoryView {
  format: Trajectory["format"];
  version: string | null;
  /** Null when the record is in no known format: nobody counted. */
  turns: number | null;
  calls: number | null;
  /** Calls that have no recorded result. */
  unanswered: number | null;
  exit: string | null;
}

/** Reads everything that a group names, one rollout at a time, and keeps the counts. */
export async function viewGroup(loaded: LoadedGroup | PartialGroup): Promise<GroupView> {
  const { root, source, warnings, verdicts } = loaded;
  const group: PartialGroup["group"] & { repo?: Group["repo"] } = loaded.group;
  const all = [...warnings];
  const rollouts: RolloutView[] = [];
  for (const rollout of group.rollouts) {
    const before = all.length;
    const view = await viewRollout(rollout, root, all);
    rollouts.push({ ...view, verdicts: verdicts?.get(rollout.id) ?? [], warnings: all.length - before });
  }
  return {
    group_id: group.group_id,
    source,
    task: group.task,
    repo: group.repo ?? null,
    tests: group.tests ?? null,
    rollouts,
    warnings: all,
  };
}

async function viewRollout(rollout: Rollout, root: string, warnings: Warning[]): Promise<RolloutView> {
  const warn = (warning: Warning): void => void warnings.push(warning);
  // A path that may not be followed is told with its place and costs nothing but what it names.
  const orWarn = async <Value>(reading: Promise<Value>): Promise<Value | undefined> => {
    try {
      return await reading;
    } catch (error) {
      const { code, message, where } = asGraderError(error);
      warn({ code, message, where });
      return undefined;
    }
  };
  const trajectory = await orWarn(readTrajectory(rollout, root, warn));
  const patch = await orWarn(readPatch(rollout, root, warn));
  const output = await orWarn(readTestOutput(rollout, root, warn));
  return {
    id: rollout.id,
    passed: rollout.passed,
    reward: rollout.reward ?? null,
    advantage: rollout.advantage ?? null,
    trajectory: trajectory === undefined ? null : viewTrajectory(trajectory),
    patch: {
      state: patch?.state ?? "absent",
      bytes: patch?.bytes.length ?? 0,
      files: countFiles(patch?.text ?? ""),
    },
    test_output_bytes: output === undefined ? null : Buffer.byteLength(output),
    verdicts: [],
    tokens: rollout.tokens ?? trajectory?.completion_tokens ?? null,
    warnings: 0,
  };
}

function viewTrajectory({ format, version, events, exit }: Trajectory): TrajectoryView {
  const count = (values: Iterable<unknown>): number | null => (format === "text" ? null : [...values].length);
  return {
    format,
    version: version ?? null,
    turns: count(new Set(events.filter((event) => event.role === "agent").map((event) => event.turn))),
    calls: count(events.filter((event) => event.kind === "call")),
    unanswered: count(events.filter((event) => event.status === "missing")),
    exit: exit ?? null,
  };
}

/** Files of a patch by its headers; what the patch does to a tree is for the workspace to say. */
function countFiles(patch: string): number {
  const git = patch.match(/^diff --git /gm)?.length ?? 0;
  return git > 0 ? git : (patch.match(/^--- .*\r?\n\+\+\+ /gm)?.length ?? 0);
}
