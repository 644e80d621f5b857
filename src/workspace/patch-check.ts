/** Largest content that one binary hunk, and all of a patch's binary hunks together, may expand to, in bytes. */
const MAX_BINARY = 32 * 1024 * 1024;
const MAX_BINARY_TOTAL = 64 * 1024 * 1024;
/** Longest patch that is applied, in bytes. */
export const MAX_PATCH = 64 * 1024 * 1024;

/**
 * Looks at a patch before git does. Git itself refuses most unsafe paths; what it does not bound is the size that a
 * binary hunk declares, and its message does not name the path.
 *
 * @returns The reason to refuse the patch, or undefined.
 */
export function refusePatch(patch: Buffer): string | undefined {
  if (patch.length > MAX_PATCH) return `the patch has ${patch.length} bytes, more than ${MAX_PATCH}`;
  // Latin-1 keeps one character a byte; paths are only compared with ASCII patterns.
  const text = patch.toString("latin1");
  let total = 0;
  for (const [, size] of text.matchAll(/^(?:literal|delta) (\d{1,15})\r?$/gm)) {
    total += Number(size);
    if (Number(size) > MAX_BINARY || total > MAX_BINARY_TOTAL)
      return `a binary hunk declares ${Number(size)} bytes; binary content is limited to ${MAX_BINARY_TOTAL}`;
  }
  for (const path of headerPaths(text)) {
    const why = unsafePath(path);
    if (why !== undefined) return `unsafe path ${JSON.stringify(path)}: ${why}`;
  }
  return undefined;
}

/** Paths in file headers. Lines inside hunks are passed over by their counts, so content never looks like a header. */
function* headerPaths(text: string): Generator<string> {
  let oldLeft = 0;
  let newLeft = 0;
  for (const raw of text.split("\n")) {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    if (oldLeft > 0 || newLeft > 0) {
      if (line[0] === "+") newLeft -= 1;
      else if (line[0] === "-") oldLeft -= 1;
      else if (line[0] !== "\\") {
        oldLeft -= 1;
        newLeft -= 1;
      }
      continue;
    }
    const hunk = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line);
    if (hunk !== null) {
      oldLeft = Number(hunk[1] ?? 1);
      newLeft = Number(hunk[2] ?? 1);
      continue;
    }
    const plain = /^(?:---|\+\+\+) "?(?:[a-z]\/)?([^\t"]+)/.exec(line)?.[1];
    const renamed = /^(?:rename|copy) (?:from|to) "?([^"]+)/.exec(line)?.[1];
    const path = plain ?? renamed;
    if (path !== undefined && path !== "/dev/null") yield path;
  }
}

/** Why a path may not stand in a tree, or undefined. Also used for what archives and folders bring. */
export function unsafePath(path: string): string | undefined {
  if (path === "" || path.includes("\0")) return "empty or with a NUL byte";
  if (path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path)) return "absolute";
  for (const part of path.split(/[/\\]/)) {
    if (part === "..") return "leaves the repository";
    if (part.toLowerCase() === ".git") return "inside .git";
  }
  if (path.split("/").some((part) => part === "" || part === ".")) return "not in normal form";
  return undefined;
}
