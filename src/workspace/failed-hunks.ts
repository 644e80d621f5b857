interface Hunk {
  /** `@@ -3,4 +3,5 @@`. */
  header: string;
  /** First line of the old side, as the header says. */
  from: number;
}

/**
 * What git says of a patch that it did not apply, with the hunk that failed by its place in the patch: git names only a
 * line, of the old side. At most four things are told; one failing hunk a file is all that git looks for.
 */
export function refusalText(stderr: string, patch: Buffer): string {
  const said = stderr.split("\n").flatMap((line) => line.replace(/^error: /, "").trim() || []);
  const failed = said.flatMap((line) => /^patch failed: (.+):(\d+)$/.exec(line)?.slice(1, 3).join(":") ?? []);
  const files = new Set(failed.map((place) => place.slice(0, place.lastIndexOf(":"))));
  const hunks = failed.length === 0 ? new Map<string, Hunk[]>() : hunksByFile(patch.toString("utf8"));
  return said
    .flatMap((line) => {
      const [, path, number] = /^patch failed: (.+):(\d+)$/.exec(line) ?? [];
      if (path !== undefined) return [named(path, Number(number), hunks.get(path) ?? [])];
      // Follows each failed hunk and says no more.
      const repeated = /^(.+): patch does not apply$/.exec(line)?.[1];
      return repeated !== undefined && files.has(repeated) ? [] : [inOurWords(line)];
    })
    .slice(0, 4)
    .join("; ");
}

/** Git speaks of its index, which is the base here. */
function inOurWords(line: string): string {
  return line
    .replace(/: does not exist in index$/, ": is not in the base")
    .replace(/: already exists in index$/, ": is in the base already");
}

function named(path: string, line: number, hunks: readonly Hunk[]): string {
  const index = hunks.findIndex(({ from }) => from === line);
  const hunk = hunks[index];
  return hunk === undefined
    ? `${path}: what should be at line ${line} is not there`
    : `${path}: hunk ${index + 1} of ${hunks.length} (${hunk.header}) does not apply`;
}

/** The hunks of every file under its old and its new name. Lines inside of hunks are passed over by their counts. */
function hunksByFile(patch: string): Map<string, Hunk[]> {
  const files = new Map<string, Hunk[]>();
  let current: Hunk[] = [];
  let left = { old: 0, new: 0 };
  for (const line of patch.split("\n")) {
    if (left.old > 0 || left.new > 0) {
      if (line[0] !== "+" && line[0] !== "\\") left.old--;
      if (line[0] !== "-" && line[0] !== "\\") left.new--;
      continue;
    }
    const path = /^(?:---|\+\+\+) (?:[a-z]\/)?([^\t\r]+)/.exec(line)?.[1];
    if (line.startsWith("--- ")) current = [];
    if (path !== undefined && path !== "/dev/null") files.set(path, current);
    const [header, from, old = "1", now = "1"] = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line) ?? [];
    if (header === undefined) continue;
    current.push({ header, from: Number(from) });
    left = { old: Number(old), new: Number(now) };
  }
  return files;
}
