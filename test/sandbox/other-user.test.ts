import { execFile } from "node:child_process";
import { chmodSync, cpSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { tempDir } from "../helpers/temp-dir.ts";

const dist = fileURLToPath(new URL("../../dist", import.meta.url));

/** Runs in a process of a user without rights, over a box with few processes and little memory. */
const SCRIPT = `
import { bubblewrapSandbox } from "./dist/sandbox/bubblewrap.js";
const sandbox = bubblewrapSandbox();
const { cannot } = await sandbox.describe();
const box = await sandbox.open({ limits: { pids: 40, memory_bytes: 256 * 1024 * 1024, wall_ms: 10_000 } });
const run = async (argv, more = {}) => {
  const { outcome, exit_code, stdout, reason } = await box.run({ argv, ...more });
  return { outcome, exit_code, reason, out: stdout.toString() };
};
const python = (script, more) => run(["python3", "-c", script], more);
const answers = {
  cannot,
  who: await run(["/bin/sh", "-c", "id -u; grep -c '^Cap.*0000000000000000' /proc/self/status"]),
  network: await python("import socket; print(socket.socket().connect_ex(('1.1.1.1', 80)))"),
  processes: await python(\`import os, time
n = 0
try:
  while n < 300:
    if os.fork() == 0: time.sleep(9); os._exit(0)
    n += 1
except OSError: print(n <= 40)\`),
  memory: await python("x = b'x' * (1 << 30)"),
  node: await run(["node", "-e", "console.log(6 * 7)"]),
  bomb: await python("import os\\nwhile True:\\n  try: os.fork()\\n  except OSError: pass", { wall_ms: 1000 }),
  after: await run(["/bin/sh", "-c", "echo ok; cat /proc/[0-9]*/comm | wc -l"]),
};
await sandbox.close();
console.log(JSON.stringify(answers));
`;

test("bubblewrap works for a user without rights, and says what it then cannot promise", async () => {
  using dir = tempDir();
  cpSync(dist, `${dir.path}/dist`, { recursive: true });
  chmodSync(dir.path, 0o755);
  const argv = ["--input-type=module", "-e", SCRIPT];
  const { stdout } = await promisify(execFile)(process.execPath, argv, {
    cwd: dir.path,
    uid: 12_345,
    gid: 12_345,
    env: { PATH: process.env["PATH"], HOME: "/nonexistent" },
  });
  const { cannot, ...answers } = JSON.parse(stdout);
  expect(cannot.join(" ")).toMatch(/Memory is limited for each process.*counted by user.*Processors/);
  expect(answers).toEqual({
    who: { outcome: "exited", exit_code: 0, out: "65534\n5\n" },
    // ENETUNREACH
    network: { outcome: "exited", exit_code: 0, out: "101\n" },
    processes: { outcome: "exited", exit_code: 0, out: "True\n" },
    memory: { outcome: "exited", exit_code: 1, out: "" },
    node: { outcome: "exited", exit_code: 0, out: "42\n" },
    bomb: { outcome: "timed_out", out: "" },
    after: { outcome: "exited", exit_code: 0, out: expect.stringMatching(/^ok\n[345]\n$/) },
  });
});
