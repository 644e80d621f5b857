import { deflateRawSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readInspectLog } from "../../src/sources/inspect/index.ts";
import { readTrajectory } from "../../src/sources/index.ts";
import { readTrajectoryValue } from "../../src/sources/trajectories/detect.ts";
import { folderOf } from "./folder.ts";
import { fixture } from "./render.ts";

interface Entry {
  name: string;
  text: string;
  method?: number;
}

/** A zip archive; without its directory it is what a writer that died leaves. */
function zip(entries: Entry[], { directory = true } = {}): Buffer {
  const files: Buffer[] = [];
  const listed: Buffer[] = [];
  let offset = 0;
  for (const { name, text, method = 8 } of entries) {
    const packed = method === 8 ? deflateRawSync(text) : Buffer.from(text);
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(20, 0);
    shared.writeUInt16LE(method, 4);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(Buffer.byteLength(text), 18);
    shared.writeUInt16LE(Buffer.byteLength(name), 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const file = Buffer.concat([Buffer.from("PK\x03\x04"), shared, Buffer.from(name), packed]);
    files.push(file);
    listed.push(Buffer.from("PK\x01\x02\x14\x00"), shared, place, Buffer.from(name));
    offset += file.length;
  }
  const central = Buffer.concat(listed);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...files, ...(directory ? [central, Buffer.from("PK\x05\x06"), end] : [])]);
}

function read(bytes: Buffer | string): { log: ReturnType<typeof readInspectLog>; notes: string[] } {
  const notes: string[] = [];
  const log = readInspectLog(Buffer.from(bytes), (code, _, at) => {
    notes.push([code, at?.field].filter(Boolean).join(" "));
  });
  return { log, notes };
}

const document = fixture("inspect-log.json");
const sampleText = document.slice(document.indexOf("[\n") + 1, document.lastIndexOf("]"));
const start = '{"version":2,"eval":{"task":"repair","model":"provider/model"}}';
const header = '{"version":2,"status":"success","eval":{"task":"repair","model":"provider/model"}}';
const sample = (epoch: number): Entry => ({
  name: `samples/gate_epoch_${epoch}.json`,
  text: sampleText.replace('"epoch": 1', `"epoch": ${epoch}`),
});

describe("a log", () => {
  test("is read with scores, metadata, attachments and the pool of messages", () => {
    const { log, notes } = read(document);
    expect(notes).toEqual([]);
    expect(log).toMatchObject({ version: 2, status: "success", task: "repair", model: "provider/model" });
    expect(log?.samples).toHaveLength(1);
    const [one] = log?.samples ?? [];
    expect(one).toMatchObject({
      id: "gate",
      epoch: 1,
      target: "open",
      limit: "message",
      field: "samples[0]",
      metadata: { difficulty: 2 },
      scores: { expert: { value: "C", answer: "open", explanation: "It is." }, speed: { value: null } },
    });
    expect(one).not.toHaveProperty("error");
    expect(one?.messages[0]).toEqual({ role: "system", content: "You open gates." });
    expect(one?.events[1]).toMatchObject({
      input: [
        { role: "system", content: "You open gates." },
        { role: "user", content: "Open the gate." },
      ],
    });
  });

  test("as an archive gives the same samples as the document", () => {
    const archived = read(zip([{ name: "header.json", text: header }, sample(1)]));
    expect(archived.notes).toEqual([]);
    const [whole] = read(document).log?.samples ?? [];
    expect(archived.log?.samples).toEqual([{ ...whole, field: "samples/gate_epoch_1.json" }]);
    expect(archived.log).toMatchObject({ version: 2, status: "success", task: "repair" });
  });

  test("gives trajectories that read like the sample itself", () => {
    const note = (): void => undefined;
    const [one] = read(document).log?.samples ?? [];
    const fromLog = readTrajectoryValue(one?.trajectory, note);
    expect(fromLog?.format).toBe("inspect");
    expect(fromLog?.events).toEqual(
      readTrajectoryValue(JSON.parse(document.replace("NaN", "null")), note)?.events,
    );
    expect(fromLog?.events.find(({ id }) => id === "t1.o1")?.timestamp).toBe("2026-10-09T10:00:32+00:00");
  });

  test("given as a trajectory is its first sample, with a note when there are more", async () => {
    const entries = [{ name: "header.json", text: header }, sample(1), sample(2)];
    const root = await folderOf({
      "a.eval": zip(entries.slice(0, 2)),
      "b.eval": zip(entries),
      "c.zip": zip([]),
    });
    const said: string[] = [];
    const readPath = (trajectory_path: string): ReturnType<typeof readTrajectory> =>
      readTrajectory({ id: "r1", passed: null, trajectory_path }, root, ({ code }) => said.push(code));
    const one = await readPath("a.eval");
    expect(one).toMatchObject({ format: "inspect", exit: "message" });
    expect(said).toEqual(["arguments_unparsed", "messages_missing"]);
    expect((await readPath("b.eval"))?.events).toEqual(one?.events);
    expect(said.splice(0)).toContain("samples_unread");
    expect((await readPath("c.zip"))?.format).toBe("text");
  });

  test.each([
    ["no JSON", "hello", undefined],
    ["another document", '{"messages":[]}', undefined],
    ["another archive", zip([{ name: "a.txt", text: "a" }]), undefined],
    ["no samples", header, 0],
    ["nothing", "", undefined],
  ])("%s", (_, bytes, count) => {
    expect(read(bytes).log?.samples.length).toBe(count);
  });
});

describe("a damaged log", () => {
  test("of a run that died has no header: its journal tells what it was", () => {
    const { log, notes } = read(
      zip([{ name: "_journal/start.json", text: start }, sample(1), sample(2)], { directory: false }),
    );
    expect(log).toMatchObject({ task: "repair", samples: [{ epoch: 1 }, { epoch: 2 }] });
    expect(log).not.toHaveProperty("status");
    expect(notes).toEqual(["zip_truncated"]);
  });

  test("of archives that are cut the samples before the cut are kept", () => {
    const bytes = zip([{ name: "_journal/start.json", text: start }, sample(1), sample(2)]);
    const { log, notes } = read(bytes.subarray(0, bytes.length - 400));
    expect(log?.samples.map(({ epoch }) => epoch)).toEqual([1]);
    expect(notes).toContain("zip_truncated");
  });

  test.each([
    [
      "an entry in an unknown packing",
      { ...sample(2), method: 12 },
      "entry_unreadable samples/gate_epoch_2.json",
    ],
    [
      "an entry that is not what it says",
      { ...sample(2), text: "", method: 0 },
      "json_unreadable samples/gate_epoch_2.json",
    ],
    [
      "an entry that is no sample",
      { name: "samples/x.json", text: "[]" },
      "sample_unreadable samples/x.json",
    ],
    [
      "a cut entry",
      { ...sample(2), text: sample(2).text.slice(0, 900) },
      "json_damaged samples/gate_epoch_2.json",
    ],
  ])("%s costs itself alone", (_, entry, note) => {
    const { log, notes } = read(zip([{ name: "header.json", text: header }, sample(1), entry, sample(3)]));
    expect(log?.samples.map(({ epoch }) => epoch)).toEqual(expect.arrayContaining([1, 3]));
    expect(notes).toContain(note);
  });

  test("what is not zstd, though its method says so, costs itself alone", () => {
    const { log, notes } = read(
      zip([{ name: "header.json", text: header }, sample(1), { ...sample(2), method: 93 }]),
    );
    expect(log?.samples).toHaveLength(1);
    expect(notes).toEqual(["entry_unreadable samples/gate_epoch_2.json"]);
  });

  test("never throws, whatever bytes change", () => {
    const bytes = zip([{ name: "header.json", text: header }, sample(1), sample(2)]);
    fc.assert(
      fc.property(fc.nat({ max: bytes.length - 1 }), fc.uint8Array({ maxLength: 12 }), (at, put) => {
        const damaged = Buffer.from(bytes);
        damaged.set(put.subarray(0, damaged.length - at), at);
        const { log } = read(damaged);
        for (const { trajectory } of log?.samples ?? [])
          expect(readTrajectoryValue(trajectory, () => undefined)).toBeDefined();
      }),
      { numRuns: 500 },
    );
  });
});

describe("a sample in many entries", () => {
  const message = (role: string, content: unknown, more = {}): unknown => ({ role, content, ...more });
  const call = { id: "c1", function: "bash", arguments: { cmd: "ls" }, type: "function" };
  const parts: Record<string, unknown> = {
    "sample.json": {
      id: "gate",
      epoch: 2,
      input: "Mend it.",
      target: "",
      message_refs: [
        [0, 2],
        [3, 4],
        [2, 3],
      ],
      scores: { tests: { value: "C" } },
      model_usage: { m: { input_tokens: 9, output_tokens: 7 } },
    },
    "metadata.json": { repo: "o/r" },
    "skeleton.json": { version: 1, counts: { events: 1, models: 0 }, spans: [] },
    "messages/0.json": [message("user", "Mend it."), message("assistant", "", { tool_calls: [call] })],
    "messages/2.json": [
      message("assistant", "Done."),
      message("tool", "attachment://1", { tool_call_id: "c1" }),
    ],
    "events/0.json": [{ event: "tool", id: "c1", timestamp: "2026-07-01T10:00:02Z" }],
    "events/stats.json": { chunks: [] },
    "attachments/0.json": ["zero", "one"],
  };
  const entriesOf = (without?: string): Entry[] => [
    { name: "header.json", text: header },
    sample(1),
    ...Object.entries(parts).flatMap(([name, value]) =>
      name === without ? [] : [{ name: `samples/gate_epoch_2/${name}`, text: JSON.stringify(value) }],
    ),
  ];

  test("is put together: messages by their ranges, attachments by their numbers", () => {
    const { log, notes } = read(zip(entriesOf()));
    expect(notes).toEqual([]);
    expect(log?.samples.map(({ epoch }) => epoch)).toEqual([1, 2]);
    const { trajectory: record, metadata, scores } = log?.samples[1] ?? {};
    expect([metadata, scores]).toEqual([{ repo: "o/r" }, { tests: { value: "C" } }]);
    const trajectory = readTrajectoryValue(record, () => undefined);
    expect(trajectory).toMatchObject({ version: "2", completion_tokens: 7 });
    expect(trajectory?.events.map(({ id, text }) => [id, id.endsWith("c1") ? "" : text])).toEqual([
      ["t0.m1", "Mend it."],
      ["t1.c1", ""],
      ["t1.o1", "one"],
      ["t2.m1", "Done."],
    ]);
  });

  test("never throws, however the archive is cut, spliced or overwritten", () => {
    const bytes = zip(entriesOf());
    const size = bytes.length;
    fc.assert(
      fc.property(fc.nat(size), fc.nat(size), fc.nat(size), fc.nat(size), (at, length, from, to) => {
        const archive = Buffer.concat([
          bytes.subarray(0, at),
          bytes.subarray(from, to),
          bytes.subarray(at + length),
        ]);
        for (const { trajectory } of read(archive).log?.samples ?? [])
          expect(readTrajectoryValue(trajectory, () => undefined)).toBeDefined();
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["sample.json", [1], ["sample_unreadable samples/gate_epoch_2"]],
    ["messages/0.json", [1, 2], ["message_unreadable samples/gate_epoch_2/messages"]],
    ["attachments/0.json", [1, 2], []],
    ["metadata.json", [1, 2], []],
  ])("without its %s costs no other sample", (lost, epochs, told) => {
    const { log, notes } = read(zip(entriesOf(lost)));
    expect(log?.samples.map(({ epoch }) => epoch)).toEqual(epochs);
    expect(notes).toEqual(told);
  });
});

describe("references", () => {
  const withEvents = (events: unknown[]): string =>
    JSON.stringify({
      eval: { task: "t" },
      samples: [
        { id: 1, epoch: 1, messages: [], events, message_pool: [{ content: "a" }, { content: "b" }] },
      ],
    });

  test.each([
    ["of odd kinds", [[0, 1], [1], "x", null, [1, 99], [-1, 1]], ["a", "b"]],
    ["to nothing", [[5, 9]], []],
  ])("%s", (_, refs, contents) => {
    const [one] = read(withEvents([{ event: "model", input_refs: refs }])).log?.samples ?? [];
    expect(one?.events).toMatchObject([{ input: contents.map((content) => ({ content })) }]);
  });

  test("to the pool of later logs, which stands in `events_data`", () => {
    const text = JSON.stringify({
      eval: { task: "t" },
      samples: [
        {
          id: 1,
          epoch: 1,
          messages: [],
          events: [{ event: "model", input_refs: [[1, 2]] }],
          events_data: { messages: [{ content: "a" }, { content: "b" }], calls: [] },
        },
      ],
    });
    expect(read(text).log?.samples[0]?.events).toMatchObject([{ input: [{ content: "b" }] }]);
  });

  test("cannot be made to cost more than a bound", () => {
    const pool = Array.from({ length: 20_000 }, (_, index) => index);
    const events = Array.from({ length: 2_000 }, () => ({ event: "model", input_refs: [[0, 20_000]] }));
    const text = JSON.stringify({
      eval: { task: "t" },
      samples: [{ id: 1, epoch: 1, messages: [], events, message_pool: pool }],
    });
    const [one] = read(text).log?.samples ?? [];
    const inputs = (one?.events ?? []).map((event) => (event as { input: unknown[] }).input.length);
    expect(inputs.reduce((sum, length) => sum + length, 0)).toBe(2_000_000);
  });
});
