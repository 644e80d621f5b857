import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * Folder of third-party test data that is not part of the project, or undefined. It is looked for beside the
 * repository, or where GAGAR_SHARED_DATA says.
 */
export const sharedData: string | undefined = [
  process.env["GAGAR_SHARED_DATA"] ?? "",
  fileURLToPath(new URL("../../../shared/data", import.meta.url)),
].find((path) => path !== "" && existsSync(path));
