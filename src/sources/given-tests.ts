import { realpath } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { GraderError } from "../errors.ts";
import type { Tests } from "../schema/group.ts";
import type { LoadedGroup } from "./loaded.ts";

/** How tests are run, as the caller says it; each of these goes before what a group says itself. */
export interface TestOptions {
  testCommand?: string;
  /** Patch with the visible tests. */
  testPatch?: string;
  runner?: NonNullable<Tests["runner"]>;
  testImage?: string;
  testSetup?: string;
  /** Seconds. */
  testTimeout?: number;
}

export interface GivenTests {
  fields: Partial<Tests>;
  /** Folder that the path of the tests' patch is relative to. */
  root?: string;
}

const OPTIONS = {
  testCommand: "--test-command",
  testPatch: "--test-patch",
  runner: "--runner",
  testImage: "--test-image",
  testSetup: "--test-setup",
  testTimeout: "--test-timeout",
} as const;

/** @throws GraderError `bad_input` for a patch that is not there. */
export async function readGivenTests(options: TestOptions): Promise<GivenTests | undefined> {
  const { testCommand, testPatch, runner, testImage, testSetup, testTimeout } = options;
  const patch = testPatch === undefined ? undefined : await realPath(testPatch);
  const fields = {
    ...(testCommand === undefined ? {} : { command: testCommand }),
    ...(runner === undefined ? {} : { runner }),
    ...(testImage === undefined ? {} : { image: testImage }),
    ...(testSetup === undefined ? {} : { setup: testSetup }),
    ...(testTimeout === undefined ? {} : { timeout_s: testTimeout }),
    ...(patch === undefined ? {} : { patch_path: basename(patch) }),
  };
  if (Object.keys(fields).length === 0) return undefined;
  return { fields, ...(patch === undefined ? {} : { root: dirname(patch) }) };
}

/** @throws GraderError `bad_config` when neither the group nor the caller says how tests are run. */
export function withGivenTests<
  T extends Pick<LoadedGroup, "roots"> & { group: { tests?: Tests | undefined } },
>(loaded: T, given: GivenTests | undefined): T {
  if (given === undefined) return loaded;
  const { command, ...rest } = { ...loaded.group.tests, ...given.fields };
  if (command === undefined) throw needsCommand(given);
  const roots = given.root === undefined ? {} : { roots: { ...loaded.roots, tests: given.root } };
  return { ...loaded, group: { ...loaded.group, tests: { command, ...rest } }, ...roots };
}

/** What is refused when nothing says how tests are run. */
export function needsCommand({ fields }: GivenTests): GraderError {
  const names: Partial<Record<keyof Tests, string>> = {
    patch_path: OPTIONS.testPatch,
    runner: OPTIONS.runner,
    image: OPTIONS.testImage,
    setup: OPTIONS.testSetup,
    timeout_s: OPTIONS.testTimeout,
  };
  const [field] = Object.entries(names).flatMap(([key, name]) => (key in fields ? [name] : []));
  return new GraderError("bad_config", `needs ${OPTIONS.testCommand}`, {
    field: field ?? OPTIONS.testCommand,
  });
}

async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (cause) {
    throw new GraderError(
      "bad_input",
      `${path}: no such file or folder`,
      { field: OPTIONS.testPatch },
      { cause },
    );
  }
}
