// Reading a trajectory beside JSON.parse of the same bytes. Reading is all that happens between the bytes of a file and
// the normalised trajectory: telling the format, parsing, damage and repeated keys, events with their ids, masking of
// secrets. Both sides begin with the bytes and decode them; files are not read in the time that is measured.
import { argv, exit } from "node:process";
import { fileURLToPath } from "node:url";
import { readTrajectoryBytes } from "../dist/sources/trajectories/detect.js";
import { FORMATS, stretches } from "./records.mjs";
import { best, processorTime, takeTurns } from "./timing.mjs";

const MEGABYTE = 1e6;
/** JSON Lines cost somewhat more: their baseline has no large text to decode either. */
const LIMIT_RATIO = { JSON: 3, "JSON Lines": 3.5 };

function parse(format, bytes) {
  if (FORMATS[format].document !== undefined) return JSON.parse(bytes.toString("utf8"));
  const lines = [];
  for (let from = 0, to = 0; from < bytes.length; from = to + 1) {
    const newline = bytes.indexOf(10, from);
    to = newline < 0 ? bytes.length : newline;
    lines.push(JSON.parse(bytes.toString("utf8", from, to)));
  }
  return lines;
}

function benchFormat(format) {
  const bytes = Buffer.from([...stretches(format, 6 * MEGABYTE)].join(""));
  // What is made is used, so that no work can be left out.
  let made;
  const baseline = () => void (made = parse(format, bytes));
  const work = () => void (made = readTrajectoryBytes(bytes, () => {}));
  takeTurns(3, processorTime, baseline, work);
  if (made?.format !== format || made.events.length < 1000)
    throw new Error(`${format} was read as ${made?.format}`);
  const kind = FORMATS[format].document === undefined ? "JSON Lines" : "JSON";
  const limit = LIMIT_RATIO[kind];
  const isKept = (times) => times.work <= limit * times.baseline;
  const times = best(() => takeTurns(9, processorTime, baseline, work), isKept);
  console.log(
    `reading: ${format.padEnd(18)} ${kind.padEnd(10)} ${times.baseline.toFixed(0).padStart(4)} ms JSON.parse ` +
      `${times.work.toFixed(0).padStart(4)} ms ${(times.work / times.baseline).toFixed(2).padStart(5)} x  limit ${limit} x`,
  );
  return isKept(times);
}

/** Prints the table. @returns {boolean} whether all limits are kept. */
export function benchReading() {
  const kept = Object.keys(FORMATS).map(benchFormat);
  console.log(`reading: limits ${kept.every(Boolean) ? "kept" : "BROKEN"}`);
  return kept.every(Boolean);
}

if (argv[1] === fileURLToPath(import.meta.url)) exit(benchReading() ? 0 : 1);
