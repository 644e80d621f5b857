// Starts and stops an engine of Docker's by hand, as root.
import { spawn, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

export const PATH = `${process.env.PATH}:/usr/sbin:/sbin`;

/**
 * An engine with its own socket, its own data and no network, so that no other engine is touched. `run` is the folder
 * of its socket and state when another engine is to go on with them; a folder that is made here goes with the engine.
 */
export async function startEngine({ data, log, run }) {
  if (process.getuid?.() !== 0) throw new Error("only root can start one");
  if (!onPath("dockerd")) throw new Error("dockerd is not installed (Debian package docker.io)");
  // A socket's path has at most 107 bytes.
  const folder = run ?? mkdtempSync(join(tmpdir(), "gagar-engine-"));
  const socket = join(folder, "docker.sock");
  const output = openSync(log, "a");
  const state = ["--exec-root", join(folder, "exec"), "--pidfile", join(folder, "docker.pid")];
  const network = [
    "--bridge",
    "none",
    "--iptables=false",
    "--ip6tables=false",
    "--ip-masq=false",
    "--ip-forward=false",
  ];
  const engine = spawn("dockerd", ["--data-root", data, "--host", `unix://${socket}`, ...state, ...network], {
    stdio: ["ignore", output, output],
    env: { ...process.env, PATH },
  });
  closeSync(output);
  const ended = new Promise((resolve) => {
    engine.on("exit", resolve);
    engine.on("error", resolve);
  });
  const end = () => engine.kill("SIGKILL");
  process.on("exit", end);
  const stop = async (signal = "SIGTERM") => {
    engine.kill(signal);
    await Promise.race([ended, delay(30_000)]);
    end();
    process.off("exit", end);
    if (run === undefined) rmSync(folder, { recursive: true, force: true });
    // The engine's containerd ends with it; its file would make the next engine wait for it.
    else rmSync(join(folder, "exec", "containerd", "containerd.pid"), { force: true });
  };
  for (let tries = 0; tries < 120 && engine.exitCode === null; tries += 1) {
    if (await answers(socket)) return { host: `unix://${socket}`, stop };
    await delay(250);
  }
  await stop();
  throw new Error(`dockerd does not answer; its log is ${log}`);
}

/** Whether a program is there to be run. */
export function onPath(program) {
  const env = { ...process.env, PATH };
  return spawnSync("/bin/sh", ["-c", 'command -v "$1"', "sh", program], { env }).status === 0;
}

/** Whether an engine answers at a socket. */
export function answers(socketPath) {
  return new Promise((resolve) => {
    const ping = request({ socketPath, path: "/_ping" }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    ping.on("error", () => resolve(false));
    ping.end();
  });
}
