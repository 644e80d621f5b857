// Runs a command and watches it and everything that it starts: wall time, and the largest resident size of the whole tree.
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";

/** @returns {Promise<{ status: number, seconds: number, peakMb: number, stdout: string }>} */
export async function watch(command, args, options = {}) {
  const started = performance.now();
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"], ...options });
  let stdout = "";
  child.stdout.on("data", (chunk) => (stdout += chunk));
  let peak = 0;
  const timer = setInterval(() => (peak = Math.max(peak, treeKb(child.pid))), 20);
  const status = await new Promise((resolve) => child.on("close", resolve));
  clearInterval(timer);
  return { status, seconds: (performance.now() - started) / 1000, peakMb: peak / 1024, stdout };
}

/** Resident size of a process and its descendants, in KiB. What has just ended counts as nothing. */
function treeKb(pid) {
  try {
    const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    return rss + (children === "" ? 0 : children.split(" ").reduce((sum, child) => sum + treeKb(child), 0));
  } catch {
    return 0;
  }
}
