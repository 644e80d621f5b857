import * as z from "zod";
import { LANGUAGES } from "../checks/language.ts";
import { checkOutput, showCheck } from "./check-view.ts";
import { targetInput, targetsOf } from "./targets.ts";
import { defineTool } from "./tool.ts";

export const runCheckTool = defineTool({
  name: "run_check",
  title: "Run a script over the rollouts",
  description: `Run one script of yours over many rollouts at once, each in a sandbox of its own without network, and see which behave alike: same end, same standard output, same last line of errors. Print what the code does (results and errors, fixed seeds) rather than asserting what you expect. Best is one JSON object a line, {"case": <input>, ...what came out}, for hundreds of generated inputs: the answer is then the smallest cases that part the rollouts, and who agrees with whom. Where runs part they are made once more, and what differs from run to run is left out. The script runs in the repository's root; Python finds the packages there, Node resolves ./paths from there. Runs share the processors: compare costs by counting or by processor time, and print a coarse verdict. The answer's id can be cited, with a quote of what the run of that rollout printed.`,
  readOnly: true,
  input: z.strictObject({
    script: z.string().min(1).max(200_000),
    language: z.enum(LANGUAGES).default("python").describe("node: an ES module; shell: POSIX sh."),
    ...targetInput,
    base: z.boolean().default(false).describe("Also the code before any change, as a control."),
    tests: z.boolean().default(false).describe("Lay the visible tests over each tree first."),
    path: z
      .string()
      .min(1)
      .refine((path) => !/^\/|(?:^|\/)\.\.?(?:\/|$)|\\|\0/.test(path), "a path inside the repository")
      .optional()
      .describe("Where in the tree the script has to lie, if it has to, for example a test file of Go."),
    command: z
      .string()
      .min(1)
      .optional()
      .describe("Shell command in the root instead of the language's program; $CHECK is the script's path."),
    timeout_s: z.int().min(1).max(600).default(60).describe("For each rollout."),
  }),
  output: checkOutput,
  async run(context, input, key) {
    const { script: text, language, path, command, timeout_s, tests } = input;
    const request = { text, language, path, command, timeout_s, tests };
    return showCheck(await context.checks.runScript(targetsOf(context, input), request, key));
  },
});
