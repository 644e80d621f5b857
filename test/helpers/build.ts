import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Compiles the project once before the tests, since the command-line tests run what users run. Type errors are printed
 * and no reason to run nothing: `npm run check` is what fails on them.
 */
export function setup(): void {
  spawnSync(`${root}/node_modules/.bin/tsc`, ["-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });
}
