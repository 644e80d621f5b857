import { sideBySide } from "../sandbox/materialise.ts";
import { INPUT_DIR, type Box, type BoxSpec, type RunResult, type Sandbox } from "../sandbox/types.ts";
import type { Workspace } from "../workspace/types.ts";

const TREES = "trees";

/** The reviewer's bench: one box that shows all trees of a group side by side, for looking and trying. */
export interface Bench {
  /** Runs a shell command among the trees. What it leaves in the work folder stays for the next one. */
  run(command: string, wall_ms: number): Promise<RunResult>;
  close(): Promise<void>;
}

/** The trees are laid when the first command comes: `base/`, `tests/` where the group has tests, and one a label. */
export function openBench(
  { store, base, testsTree, rollouts }: Workspace,
  sandbox: Sandbox,
  spec: BoxSpec,
): Bench {
  let box: Promise<Box> | undefined;
  const open = async (): Promise<Box> => {
    const trees = [
      { name: "base", tree: base },
      ...(testsTree === base ? [] : [{ name: "tests", tree: testsTree }]),
      ...rollouts.flatMap(({ label, patch }) =>
        patch.tree === undefined ? [] : [{ name: label, tree: patch.tree }],
      ),
    ];
    const listed = await Promise.all(
      trees.map(async ({ name, tree }) => ({ name, entries: await store.list(tree) })),
    );
    const opened = await sandbox.open(spec);
    await opened.put(TREES, sideBySide(store, listed));
    return opened;
  };
  return {
    async run(command, wall_ms) {
      box ??= open();
      return (await box).run({ argv: ["sh", "-c", command], cwd: `${INPUT_DIR}/${TREES}`, wall_ms });
    },
    close: async () => (await box)?.close(),
  };
}
