// Peak memory of whole `gagar show` processes on large files, beside the bound that the README states.
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv, execPath, exit } from "node:process";
import { fileURLToPath } from "node:url";
import { watch } from "./process-tree.mjs";
import { stretches } from "./records.mjs";

const MEGABYTE = 1e6;
const CLI = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
/** What the README states, in megabytes, for trajectories or rows of at most so many. */
const bound = (largest) => 200 + 7 * largest;

const messages = [...JSON.parse([...stretches("openai-chat", 14_000)].join("")).messages];
const elements = JSON.stringify(messages).slice(1, -1);

function* limited(pieces, bytes) {
  let written = 0;
  for (const piece of pieces) {
    if (written >= bytes) return;
    yield piece;
    written += Buffer.byteLength(piece);
  }
}

function* longEvent(bytes) {
  const text = JSON.stringify(messages.map(({ content }) => content).join("\n")).slice(1, -1);
  yield '{"messages":[{"role":"user","content":"Fix it."},{"role":"assistant","content":"';
  for (let written = 0; written < bytes; written += Buffer.byteLength(text)) yield text;
  yield '"}]}';
}

function* rows(count) {
  for (let index = 0; index < count; index += 1)
    yield `{"instance_id":"task-${index >> 3}","attempt":${index % 8},"resolved":${index % 3 === 0},"model_patch":"","messages":[${elements}]}\n`;
}

function* longRow(bytes) {
  yield `{"instance_id":"task","resolved":true,"model_patch":"","messages":[${elements}`;
  for (let written = 0; written < bytes; written += Buffer.byteLength(elements)) yield `,${elements}`;
  yield "]}\n";
}

/** What is read, its largest trajectory or row in megabytes, and whether it is a group's trajectory or rows. */
const CASES = [
  {
    name: "trajectory of 200 MB, one document",
    largest: 200,
    pieces: () => stretches("openai-chat", 200 * MEGABYTE),
  },
  {
    name: "the same, cut off at 190 MB",
    largest: 190,
    pieces: () => limited(stretches("openai-chat", 200 * MEGABYTE), 190 * MEGABYTE),
  },
  {
    name: "trajectory of 200 MB, JSON Lines",
    largest: 200,
    pieces: () => stretches("claude-code", 200 * MEGABYTE),
  },
  { name: "trajectory with one event of 50 MB", largest: 50, pieces: () => longEvent(50 * MEGABYTE) },
  { name: "25,000 rows, 375 MB", largest: 1, pieces: () => rows(25_000), isRows: true },
  { name: "one row of 200 MB", largest: 200, pieces: () => longRow(200 * MEGABYTE), isRows: true },
];

function write(path, pieces) {
  const file = openSync(path, "w");
  for (const piece of pieces) writeSync(file, piece);
  closeSync(file);
}

async function benchCase({ name, largest, pieces, isRows = false }) {
  const work = mkdtempSync(join(tmpdir(), "gagar-bench-"));
  try {
    const file = join(work, isRows ? "rows.jsonl" : "trajectory.json");
    write(file, pieces());
    const repo = join(work, "repo");
    mkdirSync(repo);
    const rollouts = [{ id: "a", passed: true, trajectory_path: "trajectory.json" }];
    const group = { group_id: "g", task: { id: "t", statement: "s" }, repo: { path: "repo" }, rollouts };
    writeFileSync(join(work, "group.json"), JSON.stringify(group));
    const input = isRows ? [file, "--repo", repo] : [join(work, "group.json")];
    const { status, peakMb, seconds } = await watch(execPath, [CLI, "show", "--json", ...input]);
    if (status !== 0) throw new Error(`${name}: show ended with ${status}`);
    const isKept = peakMb <= bound(largest);
    console.log(
      `reading: ${name.padEnd(38)} ${seconds.toFixed(1).padStart(6)} s ${peakMb.toFixed(0).padStart(5)} MB  ` +
        `bound ${bound(largest)} MB${isKept ? "" : " BROKEN"}`,
    );
    return isKept;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Prints the table. @returns {Promise<boolean>} whether the bound is kept. */
export async function benchReadingMemory() {
  let kept = true;
  for (const one of CASES) kept = (await benchCase(one)) && kept;
  return kept;
}

if (argv[1] === fileURLToPath(import.meta.url)) exit((await benchReadingMemory()) ? 0 : 1);
