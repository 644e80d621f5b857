import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type GroupView, viewGroup } from "../../src/cli/group-view.ts";
import { loadGroups } from "../../src/sources/index.ts";
import { sharedData } from "../helpers/shared-data.ts";

const formats = join(sharedData ?? "", "formats");

async function viewsOf(...inputs: string[]): Promise<Map<string, GroupView>> {
  const views = new Map<string, GroupView>();
  for await (const loaded of loadGroups(inputs.map((input) => join(formats, input)))) {
    const group = "error" in loaded ? loaded.partial : loaded;
    if (group === undefined) throw (loaded as { error: Error }).error;
    views.set(group.group.group_id, await viewGroup(group));
  }
  return views;
}

/** Rollout, outcome, sources of verdicts, turns, state of the patch and its files. */
const rowsOf = (view: GroupView | undefined): unknown[] =>
  (view?.rollouts ?? []).map(({ id, passed, verdicts, trajectory, patch }) => [
    id,
    passed,
    verdicts.map(({ source }) => source).join(" "),
    trajectory?.turns ?? null,
    patch.state,
    patch.files,
  ]);

describe("runs as harnesses left them", () => {
  test.each<[string, string[], string, unknown[], number]>([
    [
      "mini-swe-agent, four runs of one instance",
      ["mini-swe-agent/v2_group_pydicom__pydicom-1694"],
      "pydicom__pydicom-1694",
      [
        ["deepseek_bench_dev", null, "", 60, "present", 1],
        ["deepseek_chat_dev_rerun", null, "", 54, "present", 1],
        ["deepseek_lite_dev", null, "", 81, "present", 1],
        ["deepseek_lite_dev_noparallel", null, "", 65, "present", 1],
      ],
      1,
    ],
    [
      "mini-swe-agent with reports",
      ["mini-swe-agent/v1_gemini-3-pro"],
      "django__django-15695",
      [["v1_gemini-3-pro", false, "report", 71, "present", 2]],
      2,
    ],
    [
      "predictions, a run report and the harness's logs",
      ["swebench-eval/vexp"],
      "django__django-11133",
      [["vexp", true, "row run_report report", null, "present", 1]],
      100,
    ],
    [
      "two runs together, of different harnesses",
      ["swebench-eval/vexp", "mini-swe-agent/v1_gemini-3-pro"],
      "django__django-11133",
      [
        ["vexp", true, "row run_report report", null, "present", 1],
        ["v1_gemini-3-pro", true, "report", 30, "present", 1],
      ],
      100,
    ],
    [
      "predictions and reports of three systems on one instance",
      [
        "swebench-eval/vexp",
        "mini-swe-agent/v1_gemini-3-pro",
        "mini-swe-agent/preds/deepseek_bench1.preds.json",
      ],
      "django__django-11133",
      [
        ["vexp", true, "row run_report report", null, "present", 1],
        ["v1_gemini-3-pro", true, "report", 30, "present", 1],
        ["deepseek_bench1", null, "", null, "present", 1],
      ],
      192,
    ],
    [
      "a run that tried some instances twice: its report says not which try is meant",
      ["swebench-eval/polydev"],
      "astropy__astropy-7166",
      [
        ["results_baseline_all_preds", null, "", null, "present", 2],
        ["results_baseline_all_preds#2", null, "", null, "present", 2],
      ],
      40,
    ],
    [
      "Multi-SWE-bench predictions",
      ["openhands/legacy/multi_swe_bench_patch.jsonl"],
      "ponylang__ponyc-4595",
      [["multi_swe_bench_patch", null, "", null, "present", 1]],
      3,
    ],
    [
      "Inspect logs: numbers of samples count in their task",
      ["inspect"],
      "security_guide/1",
      [["inspect", true, "score", 1, "absent", 0]],
      6,
    ],
    [
      "SWE-agent 1.x with its report",
      ["swe-smith/pydantic__pydantic.acb0f10f.pr_8316"],
      "pydantic__pydantic.acb0f10f.pr_8316",
      [["pydantic__pydantic.acb0f10f.pr_8316", true, "report", 22, "present", 1]],
      1,
    ],
  ])("%s", async (_, inputs, instance, rows, count) => {
    const views = await viewsOf(...inputs);
    expect(rowsOf(views.get(instance))).toEqual(rows);
    expect(views.size).toBe(count);
  });

  test("a run's report and its rows agree on every instance that both name", async () => {
    const views = [...(await viewsOf("swebench-eval/vexp")).values()];
    expect(
      views.flatMap(({ warnings }) => warnings.filter(({ code }) => code === "verdicts_disagree")),
    ).toEqual([]);
    const passed = views.flatMap(({ rollouts }) => rollouts.map((rollout) => rollout.passed));
    expect([true, false, null].map((value) => passed.filter((one) => one === value).length)).toEqual([
      73, 27, 0,
    ]);
  });
});
