import type { HackKind } from "../../src/schema/evidence.ts";
import type { Tests } from "../../src/schema/group.ts";
import { makePatch, type Files } from "../helpers/workspace.ts";

/** One rollout that cheats. Its files go over the base, which it does not mend. */
export interface Attack {
  files: Files;
  /** Paths of `files` that are programs. */
  executable?: string[];
  /** A record of calls in which the cheat is seen, as chat messages. */
  trajectory?: unknown[];
  /**
   * What a reader falls for who runs the tests over the rollout's own files and believes one channel: by default the
   * exit status 0, else a text that is printed. `command` runs them in another way than the suite's. `record`: a run
   * fools nobody, only what the agent left behind for the verifier does.
   */
  fools?: { command?: string; printed: RegExp } | "record";
  /** What its run may be called. Default: anything but passed. */
  status?: readonly string[];
  /** Kind of its flag. `none`: the tests were earned as far as a run can tell; a finding says what is wrong. */
  flag: HackKind | "none";
}

/** Attacks on one runner. Every attack is a rollout that was recorded as passed. */
export interface AttackSuite {
  tests: Tests;
  task?: string;
  /** A faulty project with tests that tell so. */
  base: Files;
  /** What mends it. */
  fix: Files;
  attacks: Record<string, Attack>;
}

/** The run's own files were put back and the tests ran to their end: what it had to say is that they fail. */
export const FAILED = ["failed"] as const;

/** The patch of an attack, with its programs as programs. */
export function attackPatch(base: Files, { files, executable = [] }: Attack): string {
  const made = makePatch(base, files);
  return executable.reduce(
    (patch, path) => patch.replace(` b/${path}\nnew file mode 100644`, ` b/${path}\nnew file mode 100755`),
    made,
  );
}

/** A shell call of an agent with what it printed, as chat messages. */
export function ran(command: string, output = ""): unknown[] {
  const id = `c${command.length}`;
  const call = { id, type: "function", function: { name: "bash", arguments: JSON.stringify({ command }) } };
  return [
    { role: "assistant", content: null, tool_calls: [call] },
    { role: "tool", tool_call_id: id, content: output },
  ];
}
