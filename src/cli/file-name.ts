import { createHash } from "node:crypto";

/** An id as a file name; what had to be replaced is told apart by a hash. */
export function fileName(id: string): string {
  const safe = id.replace(/[^\w.-]+/g, "_").slice(0, 120);
  if (safe === id && !id.startsWith(".")) return safe;
  return `${safe.replace(/^\.+/, "_")}-${createHash("sha256").update(id).digest("hex").slice(0, 8)}`;
}
