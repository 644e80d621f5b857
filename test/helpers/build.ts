import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Compiles the project once before the tests, since the command-line tests run what users run. */
export function setup(): void {
  execFileSync(`${root}/node_modules/.bin/tsc`, ["-p", "tsconfig.build.json"], {
    cwd: root,
    stdio: "inherit",
  });
}
