import { basename, dirname, join } from "node:path";
import type { Warning } from "../../errors.ts";
import { isLog } from "../inspect/index.ts";
import type { Warn } from "../notes.ts";
import { markedVerdict, readJunit } from "../results/index.ts";
import { dig, firstText } from "../shape.ts";
import { documentPieces, isTrajectory } from "./document.ts";
import { filesBelow, readDocument, readSmall } from "./files.ts";
import type { Part, Piece, RunKind } from "./piece.ts";
import { inspectPieces } from "./inspect.ts";
import {
  inNamed,
  instanceFolder,
  isRecordFolder,
  joined,
  pullRequest,
  runOf,
  stemOf,
  without,
} from "./names.ts";
import { rowPieces } from "./rows.ts";

/** Longest test output that is searched for markers, in bytes. */
const MAX_OUTPUT = 64 * 2 ** 20;

/**
 * Everything in a folder of runs that belongs to an attempt: trajectories, predictions, patches, reports and outputs of
 * tests. Large files are named, not read: their content is looked at when their group is.
 */
export async function folderPieces(folder: string, warn: Warn): Promise<Piece[]> {
  const pieces: Piece[] = [];
  for await (const name of filesBelow(folder, warn))
    try {
      pieces.push(...(await filePieces(folder, name, warn)));
    } catch (error) {
      warn({ code: "file_unreadable", message: String(error), where: { file: join(folder, name) } });
    }
  return pieces;
}

/** The pieces of one file; `name` is relative to the folder of the run. */
export async function filePieces(folder: string, name: string, warn: Warn): Promise<Piece[]> {
  const path = join(folder, name);
  const file = basename(name);
  // Files with a common name are about the instance that their folder is called after.
  const inside = instanceFolder(dirname(path));
  const run = runOf(dirname(name));
  const piece = (of: RunKind, instance: string, part: Part): Piece[] => [
    { run: without(run, instance), instance, attempt: "", source: path, of, part },
  ];

  if (basename(dirname(path)) === "events") {
    // The first event stands for the folder of an OpenHands conversation.
    if (!/^(?:event-0+(?:-.*)?|0)\.json$/.test(file)) return [];
    const conversation = dirname(dirname(path));
    const instance = instanceFolder(conversation);
    const part: Part = { kind: "trajectory", path: conversation };
    const at = without(runOf(dirname(dirname(name))), instance);
    return [{ run: at, instance, attempt: "", source: conversation, of: "openhands", part }];
  }
  if (file.endsWith(".traj.json")) return piece("mini-swe-agent", stemOf(file), { kind: "trajectory", path });
  if (file.endsWith(".traj")) return piece("sweagent", stemOf(file), { kind: "trajectory", path });
  if (/\.(?:patch|diff)$/.test(file)) {
    if (/^(?:test|gold|golden|reference)(?![a-z])/.test(file)) return [];
    const common = /^(?:patch|model|fix|solution|agent|submission|prediction|final)\.\w+$/.test(file);
    return piece("swebench", common ? (pullRequest(path) ?? inside) : stemOf(file), { kind: "patch", path });
  }
  if (file === "test_output.txt" || file === "run_instance.log")
    return outputPieces(path, file, inside, piece);
  if (file.endsWith(".jsonl")) {
    const rows = await rowPieces(path, inNamed(run, file), warn);
    if (rows.length > 0) return rows.map((row) => ({ ...row, run: without(row.run, row.instance) }));
    if (isRecordFolder(name)) return piece("swebench", stemOf(file), { kind: "trajectory", path });
    return /^trajectory\b/.test(file) ? piece("swebench", inside, { kind: "trajectory", path }) : [];
  }
  if (file.endsWith(".eval")) return inspectPieces(path, joined(run, stemOf(file)), warn);
  if (file.endsWith(".xml")) {
    const verdict = readJunit((await readSmall(path)) ?? "");
    return verdict === undefined
      ? []
      : piece("swebench", inside, { kind: "verdict", verdict: { ...verdict, file: name } });
  }
  // Some submissions tell in prose what was done.
  if (isRecordFolder(name) && /\.(?:md|txt|log)$/.test(file) && !/^readme\b/i.test(file))
    return piece("swebench", stemOf(file), { kind: "trajectory", path });
  if (!/\.(?:json|pred)$/.test(file)) return [];
  return jsonPieces(path, name, run, inside, warn);
}

async function jsonPieces(
  path: string,
  name: string,
  run: string,
  inside: string,
  warn: Warn,
): Promise<Piece[]> {
  const document = await readDocument(path);
  if (document === undefined) return [];
  const file = basename(path);
  // A log may hold NaN, which is no JSON.
  if ("damaged" in document || isLog(document.value)) {
    const told: Warning[] = [];
    const samples = await inspectPieces(
      path,
      joined(run, stemOf(file)),
      (warning) => void told.push(warning),
    );
    if (samples.length > 0) {
      told.forEach(warn);
      return samples;
    }
  }
  if ("damaged" in document) {
    if (isRecordFolder(name) || /^trajectory\b/.test(file))
      return [
        {
          run: without(run, inside),
          instance: inside,
          attempt: "",
          source: path,
          of: "swebench",
          part: { kind: "trajectory", path },
        },
      ];
    warn({
      code: "json_damaged",
      message: `not JSON, left out: ${document.damaged}`,
      where: { file: path, line: document.line },
    });
    return [];
  }
  if (isTrajectory(document.value)) {
    const named = firstText(dig(document.value, "instance_id"), dig(document.value, "info", "instance_id"));
    const generic = /^(?:trajectory|traj|output|history|session)\b/.test(file);
    const instance = named ?? (generic ? inside : stemOf(file));
    return [
      {
        run: without(run, instance),
        instance,
        attempt: "",
        source: path,
        of: "swebench",
        part: { kind: "trajectory", path },
      },
    ];
  }
  return documentPieces(document.value, { path, file: name, run: inNamed(run, file), inside }).map(
    (found) => ({
      ...found,
      run: without(found.run, found.instance),
    }),
  );
}

async function outputPieces(
  path: string,
  file: string,
  instance: string,
  piece: (of: RunKind, instance: string, part: Part) => Piece[],
): Promise<Piece[]> {
  const verdict = markedVerdict((await readSmall(path, MAX_OUTPUT)) ?? "");
  return [
    ...(file === "test_output.txt" ? piece("swebench", instance, { kind: "test_output", path }) : []),
    ...(verdict === undefined
      ? []
      : piece("swebench", instance, { kind: "verdict", verdict: { ...verdict, file } })),
  ];
}
