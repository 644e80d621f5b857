import { access, lstat, readdir, readlink } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { TAG } from "./image/recipe.ts";

/** What a box's programs come from: the folder of the default image, or the host's own /usr. */
export interface Root {
  kind: "image" | "host";
  path: string;
}

/** Where the default image's folder may lie. The first one can be read by every user. */
export function rootFolders(): string[] {
  const xdg = process.env["XDG_CACHE_HOME"];
  const cache = xdg === undefined || xdg === "" ? join(homedir(), ".cache") : xdg;
  return ["/var/cache", cache].map((folder) => join(folder, "gagar", "roots", TAG));
}

export async function findRoot(given: string | undefined): Promise<Root> {
  for (const path of given === undefined ? rootFolders() : [given])
    if (await exists(join(path, "usr", "bin"))) return { kind: "image", path };
  return { kind: "host", path: "/usr" };
}

/**
 * Arguments that put the root's parts into an empty file system, read-only. Of the host only /usr and what its programs
 * need of /etc are shown: no home, no configuration, no secret.
 */
export async function rootArguments(root: Root): Promise<string[]> {
  if (root.kind === "host")
    return [
      "--ro-bind",
      "/usr",
      "/usr",
      ...(await parts("/", ["bin", "sbin", "lib", "lib32", "lib64"])),
      ...["alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d"].flatMap((name) => [
        "--ro-bind-try",
        `/etc/${name}`,
        `/etc/${name}`,
      ]),
    ];
  const own = new Set(["dev", "proc", "sys", "tmp", "input", "work"]);
  return parts(root.path, (await readdir(root.path)).filter((name) => !own.has(name)).sort());
}

async function parts(folder: string, names: readonly string[]): Promise<string[]> {
  const made: string[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const stats = await lstat(path).catch(() => undefined);
    if (stats?.isSymbolicLink() === true) made.push("--symlink", await readlink(path), `/${name}`);
    else if (stats?.isDirectory() === true) made.push("--ro-bind", path, `/${name}`);
  }
  return made;
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
