import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const module = fileURLToPath(new URL("../../dist/sandbox/bubblewrap.js", import.meta.url));

/** Runs many commands in one box with few processes, one of them killed, and prints what did not end as it should. */
const SCRIPT = `
const { bubblewrapSandbox } = await import(${JSON.stringify(module)});
const sandbox = bubblewrapSandbox();
const box = await sandbox.open({ limits: { pids: 12 } });
for (let i = 0; i < 30; i += 1) {
  const result = await box.run({ argv: ["true"] });
  if (result.outcome !== "exited" || result.exit_code !== 0) console.log(i, result.outcome, result.reason);
  if (i !== 20) continue;
  const { outcome } = await box.run({ argv: ["sleep", "9"], wall_ms: 200 });
  if (outcome !== "timed_out") console.log(outcome);
}
await sandbox.close();
console.log("done");
`;

test("a grader that is process 1, as in a container, and reaps nobody, does not use up its boxes", () => {
  const node = [process.execPath, "--input-type=module", "-e", SCRIPT];
  const asFirst = ["--user", "--map-root-user", "--pid", "--fork", "--mount-proc", "--"];
  const { stdout, stderr } = spawnSync(
    "unshare",
    [...(process.getuid?.() === 0 ? asFirst.slice(2) : asFirst), ...node],
    {
      encoding: "utf8",
    },
  );
  expect(stdout + stderr).toBe("done\n");
});
