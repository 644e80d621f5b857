// Times of work that takes turns with a baseline, so that a busy machine slows both.
import { cpuUsage } from "node:process";

/** Milliseconds of wall time: processes wait for files and for each other. */
export function wallTime(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Milliseconds of processor time: a loop waits for nothing but its turn on a busy machine. */
export function processorTime(work) {
  const start = cpuUsage();
  work();
  const { user, system } = cpuUsage(start);
  return (user + system) / 1000;
}

function median(values) {
  return values.toSorted((one, other) => one - other)[values.length >> 1];
}

/** Medians of two kinds of work that take turns, so that a busy machine slows both. */
export function takeTurns(rounds, time, baseline, work) {
  const times = { baseline: [], work: [] };
  for (let round = 0; round < rounds; round += 1) {
    times.baseline.push(time(baseline));
    times.work.push(time(work));
  }
  return { baseline: median(times.baseline), work: median(times.work) };
}

/** Other work on the machine can only add to a time: the best of three tries counts. */
export function best(measure, isKept) {
  let times = measure();
  for (let more = 2; more > 0 && !isKept(times); more -= 1) {
    const again = measure();
    if (again.work / again.baseline < times.work / times.baseline || isKept(again)) times = again;
  }
  return times;
}
