import { defineConfig } from "vitest/config";
import { testsWithoutSandbox } from "./test/helpers/sandbox.ts";
import { sharedData } from "./test/helpers/shared-data.ts";

// Tests in test/shared run on third-party data that the project may not contain. Where it is absent they cannot run.
if (sharedData === undefined)
  console.warn(
    "\nNOT RUN: test/shared. The third-party data is not here (../shared/data or GAGAR_SHARED_DATA).\n",
  );

// Tests of what runs in a sandbox need one. `npm run verify` installs and starts what they need.
const left = await testsWithoutSandbox();
for (const { files, reason } of left) console.warn(`\nNOT RUN: ${files}. This machine has ${reason}.\n`);

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: [...(sharedData === undefined ? ["test/shared/**"] : []), ...left.map(({ files }) => files)],
    globalSetup: "test/helpers/build.ts",
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
