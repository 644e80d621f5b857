import * as z from "zod";
import type { Tests } from "../schema/group.ts";
import { CRITERIA } from "../schema/evidence.ts";
import { defineTool } from "./tool.ts";
import { foreign } from "./view.ts";

/** Where a project tells its rules, in its root. */
const DOCUMENT = /^(?:readme|contributing|hacking|style|agents|claude)(?:\.(?:md|rst|txt|adoc))?$/i;

export const taskTool = defineTool({
  name: "task",
  title: "The task",
  description:
    "The task statement that all rollouts worked on, the test command, the criteria and what the tiers mean. Read it first.",
  readOnly: true,
  input: z.strictObject({}),
  output: z.object({
    task_id: z.string(),
    statement: z.string(),
    test_command: z.string().optional(),
    rollouts: z.int(),
    to_place: z.array(z.string()).describe("Labels that the verdict must place."),
    criteria: z.array(z.string()),
    documents: z.array(z.string()).describe("Files in the base's root that tell contributors the rules."),
    sandbox: z.string().describe('Where checks are run; "none" when nothing can be run.'),
  }),
  async run({ workspace, graded, checks }) {
    const { task, testCommand } = workspace;
    const documents = (await workspace.store.list(workspace.base)).flatMap(({ path }) =>
      DOCUMENT.test(path) ? [path] : [],
    );
    const text = [
      `${workspace.rollouts.length} rollouts of one task; to be placed: ${graded.join(", ")}`,
      ...(testCommand === undefined ? [] : [foreign("tests", testCommand)]),
      ...(checks.sandbox === "none" ? [] : [`Checks run in ${checks.sandbox}: ${programsOf(checks.tests)}`]),
      "Tiers: 1 merge as it is; 2 merge after minor changes; 3 works by the tests but needs rework.",
      `Criteria: ${CRITERIA.join(", ")}`,
      ...documents.map((path) => foreign("rules of the project", path)),
      "Statement:",
      ...task.statement.split("\n").map((line) => foreign("", line)),
    ].join("\n");
    return {
      text,
      data: {
        task_id: task.id,
        statement: task.statement,
        ...(testCommand === undefined ? {} : { test_command: testCommand }),
        rollouts: workspace.rollouts.length,
        to_place: [...graded],
        criteria: [...CRITERIA],
        documents,
        sandbox: checks.sandbox,
      },
    };
  },
});

function programsOf(tests: Tests | undefined): string {
  return tests?.image === undefined
    ? "python3 with pytest, node, git, rg; no network, nothing can be installed"
    : `${foreign("image", tests.image)} (shell: python3, node, git, rg); no network`;
}
