// Grades the bundled example group offline and shows where the answer lies.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const out = here("../out/demo");
const run = spawnSync(
  process.execPath,
  [here("../dist/cli/main.js"), "grade", here("../examples/tallybook-post-split"), "--out", out],
  { stdio: "inherit" },
);
if (run.status === 0) console.log(`\nThe grade as JSON and as a page to read: out/demo/`);
process.exit(run.status ?? 1);
