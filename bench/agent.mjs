// What the graph costs beside the tools: a model that answers at once grades 16 rollouts in 60 calls. The baseline is the
// same tool calls made directly, without graph, protocol, messages, transcript and checkpoints.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { watch } from "./process-tree.mjs";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const STEPS = 60;

/** Two calls a step, of the kinds that a grader makes most. */
function callsOf(step, label) {
  const kinds = [
    { name: "read_patch", args: { rollout: label } },
    { name: "read_summary", args: { rollout: label } },
    { name: "search_code", args: { tree: label, pattern: "def " } },
    { name: "list_files", args: { tree: label } },
    { name: "diff_rollouts", args: { from: "base", to: label } },
    { name: "read_test_output", args: { rollout: label, tail: true } },
  ];
  return [kinds[step % kinds.length], kinds[(step + 1) % kinds.length]];
}

const label = (index) => String.fromCodePoint(65 + (index % 16));

/** In a process of its own, so that its memory is its own. */
async function measure() {
  const { AIMessage } = await import("@langchain/core/messages");
  const { gradeGroup, loadGroups } = await import("../dist/index.js");
  const { chatInspector } = await import("../dist/models/chat.js");
  const { TOOLS } = await import("../dist/tools/index.js");
  const { openSession } = await import("../dist/graph/session.js");
  const { unavailableSandbox } = await import("../dist/sandbox/unavailable.js");
  const { workspaceInput } = await import("../dist/workspace-input.js");
  const loaded = (await loadGroups(here("../examples/tallybook-post-split")).next()).value;
  const twice = loaded.group.rollouts.flatMap((rollout) => [
    { ...rollout, passed: true },
    { ...rollout, id: `${rollout.id}-again`, passed: true },
  ]);
  const group = { ...loaded, group: { ...loaded.group, rollouts: twice } };
  const work = mkdtempSync(join(tmpdir(), "gagar-bench-"));
  try {
    const session = await openSession({
      group: group.group,
      signals: twice.map(() => ({ reward: null, advantage: null })),
      workspace: await workspaceInput(group, join(work, "direct"), 0, () => {}),
      rankOnly: true,
      sandbox: unavailableSandbox("bench"),
      checks: 0,
      msLeft: () => Infinity,
      warn: () => {},
    });
    const tools = new Map(TOOLS.map((tool) => [tool.name, tool]));
    const start = performance.now();
    for (let step = 0; step < STEPS - 1; step += 1)
      for (const { name, args } of callsOf(step, label(step))) {
        const answer = await tools
          .get(name)
          .call(session.context, args)
          .catch((error) => error);
        if (answer instanceof Error && !/has no/.test(answer.message)) throw answer;
      }
    const direct = performance.now() - start;
    const placed = session.context.graded;
    await session.close();

    const run = async (options) => {
      let asked = 0;
      const model = {
        bindTools: () => ({
          async invoke() {
            const step = asked;
            asked += 1;
            const verdict = { tier_1: placed, tier_2: [], tier_3: [], ranking: [placed] };
            const calls =
              step < STEPS - 1 ? callsOf(step, label(step)) : [{ name: "submit_verdict", args: verdict }];
            const tool_calls = calls.map((call, index) => ({
              ...call,
              id: `c${step}_${index}`,
              type: "tool_call",
            }));
            return new AIMessage({ content: "", tool_calls });
          },
        }),
      };
      const times = {};
      const grade = await gradeGroup(group, {
        inspector: chatInspector(model, "bench"),
        rankOnly: true,
        ...options,
        onProgress: ({ step }) => (times[step] ??= performance.now()),
      });
      if (grade.status !== "graded") throw new Error(`${grade.status}: ${grade.reason}`);
      return {
        ms: times.rank - times.inspect,
        calls: grade.spend.model_calls,
        tools: grade.spend.tool_calls,
      };
    };
    const plain = await run({});
    const durable = await run({ workspaceDir: join(work, "durable") });
    return { direct, plain, durable };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

export async function benchAgent() {
  const { status, peakMb, stdout } = await watch(process.execPath, [here("agent.mjs"), "measure"]);
  if (status !== 0) throw new Error("the run failed");
  const { direct, plain, durable } = JSON.parse(stdout);
  const row = (name, ms) =>
    console.log(
      `agent: ${name.padEnd(42)} ${ms.toFixed(0).padStart(6)} ms ${(ms / direct).toFixed(2).padStart(6)} x the tools alone`,
    );
  row(`baseline: ${2 * (STEPS - 1)} tool calls made directly`, direct);
  row(`the graph, ${plain.calls} model calls, ${plain.tools} tool calls`, plain.ms);
  row("the graph with checkpoints on disk", durable.ms);
  console.log(
    `agent: framework ${((plain.ms - direct) / plain.calls).toFixed(1)} ms a model call, with checkpoints ` +
      `${((durable.ms - direct) / durable.calls).toFixed(1)} ms; peak memory ${peakMb.toFixed(0)} MB`,
  );
  return true;
}

if (process.argv[2] === "measure") console.log(JSON.stringify(await measure()));
else if (process.argv[1] === fileURLToPath(import.meta.url)) await benchAgent();
