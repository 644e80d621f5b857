import { access, chmod, copyFile, cp, mkdir, realpath, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runPipe } from "./pipe.ts";

/**
 * Puts the Node.js that we run on, and its npm, into a folder of programs: Debian's own is older than what rollouts are
 * written for. Where the folder lacks a library that it needs, there is no Node.js, and `progress` says so.
 */
export async function addNode(folder: string, progress: (line: string) => void): Promise<void> {
  const local = join(folder, "usr", "local");
  const program = join(local, "bin", "node");
  await mkdir(dirname(program), { recursive: true });
  await copyFile(process.execPath, program);
  await chmod(program, 0o755);
  for (const library of await needed(program))
    if (!(await exists(join(folder, library)))) {
      progress(`no Node.js inside: this one needs ${library}`);
      await rm(program);
      return;
    }
  const npm = await findNpm();
  if (npm === undefined) {
    progress("no npm inside: there is none beside Node.js");
    return;
  }
  await cp(npm, join(local, "lib", "node_modules", "npm"), { recursive: true, dereference: true });
  for (const name of ["npm", "npx"])
    await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(local, "bin", name));
}

/** npm's folder: beside node, or where the npm is that runs us. */
async function findNpm(): Promise<string | undefined> {
  const running = process.env["npm_execpath"];
  const candidates = [
    join(dirname(await realpath(process.execPath)), "..", "lib", "node_modules", "npm"),
    ...(running === undefined ? [] : [join(dirname(running), "..")]),
  ];
  for (const folder of candidates) if (await exists(join(folder, "bin", "npm-cli.js"))) return folder;
  return undefined;
}

/** Paths of the libraries that a program is linked to. */
async function needed(program: string): Promise<string[]> {
  const lines: string[] = [];
  await runPipe(["ldd", program], undefined, (line) => lines.push(line));
  return lines.flatMap((line) => /(?:=> )?(\/\S+) \(0x/.exec(line)?.[1] ?? []);
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
