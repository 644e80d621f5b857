import { mkdir } from "node:fs/promises";
import { GraderError } from "../errors.ts";

/** Makes the folder that an option names. @throws GraderError `bad_config` with the option when that cannot be. */
export async function makeFolder(path: string, option: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new GraderError(
      "bad_config",
      `${path} cannot be a folder: ${why}`,
      { field: option },
      { cause: error },
    );
  }
}
