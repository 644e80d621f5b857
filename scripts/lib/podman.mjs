// Starts and stops Podman's service by hand, as root.
import { spawn, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { answers, onPath, PATH } from "./engine.mjs";

/** A service with its own socket and state; images stay in `data`. runc, since crun refuses hybrid control groups. */
export async function startPodman({ data, log }) {
  if (process.getuid?.() !== 0) throw new Error("only root can start it");
  if (!onPath("podman")) throw new Error("podman is not installed (Debian package podman)");
  const folder = mkdtempSync(join(tmpdir(), "gagar-podman-"));
  const socket = join(folder, "podman.sock");
  const output = openSync(log, "a");
  // Set but empty, it breaks the command line.
  const { CONTAINER_HOST: _host, ...env } = process.env;
  // Its database remembers where the state was, and refuses another place for the same images.
  const state = `${data}-run`;
  const own = ["--root", data, "--runroot", state, "--events-backend", "file"];
  const how = ["--runtime", "runc", "--cgroup-manager", "cgroupfs"];
  const service = spawn("podman", [...own, ...how, "system", "service", "--time", "0", `unix://${socket}`], {
    stdio: ["ignore", output, output],
    env: { ...env, PATH },
  });
  closeSync(output);
  const ended = new Promise((resolve) => {
    service.on("exit", resolve);
    service.on("error", resolve);
  });
  const end = () => service.kill("SIGKILL");
  process.on("exit", end);
  const stop = async () => {
    service.kill("SIGTERM");
    await Promise.race([ended, delay(10_000)]);
    end();
    process.off("exit", end);
    // Watchers of commands stay for five minutes, and then start it once more to clean up.
    spawnSync("pkill", ["-KILL", "-f", `^\\S*conmon .*${data}`], { env: { ...env, PATH }, stdio: "ignore" });
    // Its images' folder is mounted on itself, and stays so when it ends.
    spawnSync("umount", ["--lazy", join(data, "overlay")], { env: { ...env, PATH }, stdio: "ignore" });
    for (const left of [folder, state]) rmSync(left, { recursive: true, force: true });
  };
  for (let tries = 0; tries < 60 && service.exitCode === null; tries += 1) {
    if (await answers(socket)) return { host: `unix://${socket}`, stop };
    await delay(250);
  }
  await stop();
  throw new Error(`podman does not answer; its log is ${log}`);
}
