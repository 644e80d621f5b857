import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Trajectory, TrajectoryEvent } from "../../src/schema/trajectory.ts";
import { readInspectLog } from "../../src/sources/inspect/index.ts";
import { readTrajectoryValue } from "../../src/sources/trajectories/detect.ts";
import { sharedData } from "../helpers/shared-data.ts";
import { readWithNotes } from "../sources/render.ts";

const bytesOf = (path: string): Buffer => readFileSync(join(sharedData ?? "", "formats", path));

/** Turns of the agent, calls, results. */
function countsOf(trajectory: Trajectory | undefined): number[] {
  const events = (trajectory?.events ?? []).map((event) => TrajectoryEvent.parse(event));
  return [
    new Set(events.filter(({ role }) => role === "agent").map(({ turn }) => turn)).size,
    events.filter(({ kind }) => kind === "call").length,
    events.filter(({ kind, status }) => kind === "observation" && status !== "missing").length,
  ];
}

// Counted from the raw files by another program.
describe("real sessions", () => {
  test.each([
    ["codex/agent-history_compaction_codex_session_with_compaction.jsonl", "codex", "0.77.0", 6, 2, 2],
    [
      "codex/rollout-2025-09-25T08-02-05-0199812e-64f0-7f73-91fc-095dda01c36e.jsonl",
      "codex",
      "0.40.0",
      58,
      57,
      57,
    ],
    [
      "codex/rollout-2025-09-25T15-12-14-019982b8-3422-79e0-8b3b-05abaf4f3c3e.jsonl",
      "codex",
      "0.40.0",
      35,
      34,
      34,
    ],
    ["codex/exec-json-stream/stream-output-1.jsonl", "codex-exec", undefined, 1, 0, 0],
    ["codex/exec-json-stream/stream-output-2.jsonl", "codex-exec", undefined, 2, 1, 1],
    ["codex/exec-json-stream/stream-output-3.jsonl", "codex-exec", undefined, 2, 1, 1],
    ["codex/exec-json-stream/stream-output-5.jsonl", "codex-exec", undefined, 2, 1, 1],
  ])("%s is %s %s with %d turns, %d calls, %d results", (path, format, version, ...counts) => {
    const { trajectory, notes } = readWithNotes(bytesOf(path).toString());
    expect([trajectory?.format, trajectory?.version]).toEqual([format, version]);
    expect(countsOf(trajectory)).toEqual(counts);
    expect(notes).toEqual([]);
    expect(trajectory?.events.filter(({ role }) => role === "task").length).toBe(format === "codex" ? 1 : 0);
  });

  test("of spliced lines everything that is whole is read, the rest is told with its line", () => {
    const { trajectory, notes } = readWithNotes(
      bytesOf("dirty/DERIVED_codex_spliced_lines.jsonl").toString(),
    );
    expect(countsOf(trajectory)).toEqual([3, 2, 3]);
    expect(notes.map((note) => note.split(" | ").slice(0, 2).join(" "))).toEqual([
      "result_without_call no call recorded for t3.o1",
      "record_damaged line 21",
      "record_damaged line 22",
      "record_damaged line 23",
      "record_damaged line 24",
    ]);
  });
});

describe("rows of SWE-smith", () => {
  const rows = bytesOf("swe-smith/ft_xml_example.jsonl").toString().trimEnd().split("\n");

  test.each([
    [0, 37, 37, 36],
    [1, 44, 44, 43],
    [2, 22, 22, 21],
  ])("row %d has %d turns, %d calls, %d results", (row, ...counts) => {
    const { trajectory, notes } = readWithNotes(rows[row] ?? "");
    expect(trajectory?.format).toBe("openai-chat");
    expect(countsOf(trajectory)).toEqual(counts);
    // The run ends with `submit`, which nothing has to answer.
    expect(notes).toEqual([]);
  });

  test("a run as a row and as SWE-agent wrote it give the same calls and results", () => {
    const name = "pydantic__pydantic.acb0f10f.pr_8316";
    const native = readWithNotes(bytesOf(`swe-smith/${name}/${name}.traj`).toString()).trajectory;
    const row = readWithNotes(rows[2] ?? "").trajectory;
    const seen = (trajectory: Trajectory | undefined, kind: string): unknown[] =>
      (trajectory?.events ?? [])
        .filter((event) => event.kind === kind)
        .map(({ id, tool, path, text }) => [
          id,
          tool,
          path,
          kind === "call"
            ? ""
            : text.replace(
                /^OBSERVATION:\n|^Your command ran successfully and did not produce any output\.$/,
                "",
              ),
        ]);
    expect(seen(row, "call")).toEqual(seen(native, "call"));
    const [written, recorded] = [seen(row, "observation"), seen(native, "observation")];
    expect(written).toEqual(recorded.slice(0, written.length));
  });
});

describe("logs of Inspect", () => {
  test.each([
    [
      "2025-05-12T20-28-26-04-00_security-guide.json",
      2,
      "security_guide",
      [
        [1, 0, 0],
        [1, 0, 0],
        [1, 0, 0],
      ],
    ],
    ["log_formats.json", 2, "popularity", [[1, 0, 0]]],
    ["log_formats.eval", 2, "popularity", [[1, 0, 0]]],
    ["log_message_deduplication.eval", 3, "inspect_test_utils/guess_number", [[6, 5, 5]]],
    ["log_tool_call_error.json", 2, "...", [[0, 0, 11]]],
  ])("%s is version %d, task %s, with turns, calls, results %j", (name, version, task, counts) => {
    const notes: string[] = [];
    const log = readInspectLog(bytesOf(`inspect/${name}`), (code) => notes.push(code));
    expect(log).toMatchObject({ version, task, status: "success" });
    expect(notes).toEqual([]);
    expect(
      log?.samples.map(({ trajectory }) => countsOf(readTrajectoryValue(trajectory, () => undefined))),
    ).toEqual(counts);
    // Attachments stand in `attachments`, and nothing names one any more.
    expect(JSON.stringify(log)).not.toMatch(/"(?:attachment|tc):\/\/[0-9a-f]{32}"/);
  });

  test("as a document and as an archive say the same", () => {
    const [a, b] = ["json", "eval"].map((end) =>
      readInspectLog(bytesOf(`inspect/log_formats.${end}`), () => undefined),
    );
    const [read, again] = [a, b].map((log) =>
      readTrajectoryValue(log?.samples[0]?.trajectory, () => undefined),
    );
    expect(read).toEqual(again);
    expect(a?.samples[0]?.scores).toEqual(b?.samples[0]?.scores);
  });

  test("inputs of model events are put together from the pool", () => {
    const log = readInspectLog(bytesOf("inspect/log_message_deduplication.eval"), () => undefined);
    const models =
      log?.samples[0]?.events.filter((event) => (event as { event: string }).event === "model") ?? [];
    const lengths = models.map((event) => (event as { input: unknown[] }).input.length);
    expect(lengths).toEqual([1, 3, 5, 7, 9, 11]);
  });
});
