const PLAIN = /^[\w.-]+$/;

/** The path of a child. The root has the path "". */
export function joinPath(parent: string, name: string): string {
  return parent === "" ? name : `${parent}.${name}`;
}

/** Paths as text, `a -> b`. A path with blanks or other characters is quoted. */
export function formatChain(paths: readonly string[]): string {
  return paths.map((path) => (PLAIN.test(path) ? path : JSON.stringify(path))).join(" -> ");
}
