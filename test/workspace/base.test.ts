import { execFileSync } from "node:child_process";
import {
  chmodSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { pack } from "tar-stream";
import { expect, test } from "vitest";
import type { Warning } from "../../src/errors.ts";
import { openBase, type ResolvedRepo } from "../../src/workspace/base.ts";
import { openStore } from "../../src/workspace/store.ts";
import { tempDir } from "../helpers/temp-dir.ts";

const env = { ...process.env, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
    cwd,
    env,
    encoding: "utf8",
  }).trim();

/** A tree with everything that a careless import changes: attributes, ignored files, line ends, links, modes. */
function writeTree(root: string): void {
  mkdirSync(join(root, "sub dir"), { recursive: true });
  writeFileSync(
    join(root, ".gitattributes"),
    "*.txt text eol=crlf\n$Id$ ident\nhidden export-ignore\n*.py -diff\n",
  );
  writeFileSync(join(root, ".gitignore"), "ignored.log\n");
  writeFileSync(join(root, "ignored.log"), "kept\n");
  writeFileSync(join(root, "hidden"), "$Id$\n");
  writeFileSync(join(root, "lf.txt"), "a\nb\n");
  writeFileSync(join(root, "crlf.txt"), "a\r\nb\r\n");
  writeFileSync(join(root, 'sub dir/quo"te\\n.py'), "x = 1\n");
  writeFileSync(join(root, "run.sh"), "#!/bin/sh\n");
  chmodSync(join(root, "run.sh"), 0o755);
  symlinkSync("/etc/passwd", join(root, "link"));
}

async function open(dir: string, repo: ResolvedRepo, warnings: Warning[] = []) {
  const gitDir = join(dir, `store-${readdirSync(dir).length}.git`);
  const tree = await openBase(gitDir, repo, {
    cacheDir: join(dir, "cache"),
    warn: (warning) => warnings.push(warning),
  });
  return { gitDir, tree, store: openStore(gitDir) };
}

test("a cache may be named by a relative path", async () => {
  using dir = tempDir();
  const root = join(dir.path, "repo");
  writeTree(root);
  execFileSync("tar", ["-cf", join(dir.path, "repo.tar"), "-C", dir.path, "repo"]);
  const source = { kind: "archive", path: join(dir.path, "repo.tar") } as const;
  const cacheDir = relative(process.cwd(), join(dir.path, "cache"));
  const gitDir = join(dir.path, "store.git");
  const tree = await openBase(gitDir, source, { cacheDir, warn: () => {} });
  expect((await openStore(gitDir).list(tree)).length).toBeGreaterThan(3);
});

test("a folder, its archive and its commit give the same tree, byte for byte", async () => {
  using dir = tempDir();
  const root = join(dir.path, "repo");
  writeTree(root);
  execFileSync("tar", ["-czf", join(dir.path, "repo.tar.gz"), "-C", dir.path, "repo"]);
  execFileSync("tar", ["-cf", join(dir.path, "repo.tar"), "-C", dir.path, "repo"]);
  git(root, "init", "-q");
  git(root, "-c", "core.attributesFile=/dev/null", "add", "-f", ".");

  const folder = await open(dir.path, { kind: "folder", path: root });
  const gzip = await open(dir.path, { kind: "archive", path: join(dir.path, "repo.tar.gz") });
  const plain = await open(dir.path, { kind: "archive", path: join(dir.path, "repo.tar") });
  const again = await open(dir.path, { kind: "archive", path: join(dir.path, "repo.tar.gz") });
  expect(gzip.tree).toBe(folder.tree);
  expect(plain.tree).toBe(folder.tree);
  expect(again.tree).toBe(folder.tree);

  const { store, tree } = again;
  expect((await store.list(tree)).map(({ path, mode }) => `${mode} ${path}`)).toEqual([
    "100644 .gitattributes",
    "100644 .gitignore",
    "100644 crlf.txt",
    "100644 hidden",
    "100644 ignored.log",
    "100644 lf.txt",
    "120000 link",
    "100755 run.sh",
    '100644 sub dir/quo"te\\n.py',
  ]);
  expect(await store.readText(tree, "lf.txt")).toBe("a\nb\n");
  expect(await store.readText(tree, "crlf.txt")).toBe("a\r\nb\r\n");
  expect(await store.readText(tree, "hidden")).toBe("$Id$\n");
  // S02: a link is its target's name, and nothing behind it is ever read.
  expect(await store.readText(tree, "link")).toBe("/etc/passwd");
  for (const { store } of [folder, gzip, plain, again]) store.close();
});

test("a commit is fetched and checked; its repository's configuration is never used (S05)", async () => {
  using dir = tempDir();
  const root = join(dir.path, "repo");
  writeTree(root);
  git(root, "init", "-q");
  git(root, "add", "-f", ".");
  git(root, "commit", "-qm", "base");
  const commit = git(root, "rev-parse", "HEAD");
  const canary = join(dir.path, "canary");
  const evil = join(dir.path, "evil.sh");
  writeFileSync(evil, `#!/bin/sh\ntouch ${canary}\ncat\n`);
  chmodSync(evil, 0o755);
  for (const key of [
    "core.fsmonitor",
    "diff.external",
    "filter.x.clean",
    "filter.x.smudge",
    "diff.x.textconv",
    "uploadpack.packObjectsHook",
  ])
    git(root, "config", key, evil);
  writeFileSync(join(root, ".git/info/attributes"), "* filter=x diff=x\n");
  for (const hook of ["post-checkout", "pre-receive", "post-index-change", "reference-transaction"]) {
    writeFileSync(join(root, ".git/hooks", hook), `#!/bin/sh\ntouch ${canary}\n`);
    chmodSync(join(root, ".git/hooks", hook), 0o755);
  }

  const { store, tree } = await open(dir.path, { kind: "git", repository: root, commit });
  expect(await store.readText(tree, "hidden")).toBe("$Id$\n");
  expect((await store.grep(tree, { pattern: "a", limit: 10 })).matches.length).toBeGreaterThan(0);
  store.close();
  expect(existsSync(canary)).toBe(false);
  // Positive control: the trap works when git is used the careless way.
  execFileSync("git", ["status"], { cwd: root, env, stdio: "ignore" });
  expect(existsSync(canary)).toBe(true);
});

test("a repository that borrows objects, or links to some, is refused", async () => {
  using dir = tempDir();
  const root = join(dir.path, "repo");
  mkdirSync(root);
  git(root, "init", "-q");
  writeFileSync(join(root, ".git/objects/info/alternates"), "/elsewhere/objects\n");
  const repo = { kind: "git", repository: root, commit: "0".repeat(40) } as const;
  await expect(open(dir.path, repo)).rejects.toMatchObject({
    code: "base_unavailable",
    message: /borrows objects/,
  });
  const second = join(dir.path, "second");
  mkdirSync(second);
  git(second, "init", "-q");
  symlinkSync("/etc", join(second, ".git/objects/ab"));
  await expect(open(dir.path, { ...repo, repository: second })).rejects.toThrow(/symlink under objects/);
  const third = join(dir.path, "third");
  mkdirSync(third);
  await expect(open(dir.path, { ...repo, repository: third })).rejects.toThrow(/no git repository/);
});

test("an archive's unsafe, special and .git entries are left out and reported", async () => {
  using dir = tempDir();
  const archive = pack();
  archive.entry({ name: "r/ok.txt" }, "x");
  archive.entry({ name: "r/../../up.txt" }, "x");
  archive.entry({ name: "/abs.txt" }, "x");
  archive.entry({ name: "r/.git/config" }, "x");
  archive.entry({ name: "r/fifo", type: "fifo" });
  archive.entry({ name: "r/hard", type: "link", linkname: "r/ok.txt" });
  archive.entry({ name: "r/dangling", type: "link", linkname: "r/none" });
  archive.entry({ name: "r/..name" }, "fine");
  archive.finalize();
  await pipeline(archive, createWriteStream(join(dir.path, "bad.tar")));
  const warnings: Warning[] = [];
  const { store, tree } = await open(
    dir.path,
    { kind: "archive", path: join(dir.path, "bad.tar") },
    warnings,
  );
  expect((await store.list(tree)).map(({ path }) => path)).toEqual(["..name", "hard", "ok.txt"]);
  expect(warnings.map(({ message }) => message)).toEqual([
    '"r/../../up.txt" left out: leaves the repository',
    '"/abs.txt" left out: absolute',
    '"r/.git/config" left out: inside .git',
    '"r/fifo" left out: a fifo is no file',
    '"r/dangling" left out: a hard link to something that is not there',
  ]);
  store.close();
});

test.each([
  ["a truncated archive", (path: string) => writeFileSync(path, Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]))],
  ["no archive", (path: string) => writeFileSync(path, "hello".repeat(300))],
  ["a missing file", () => {}],
])("%s is base_unavailable, and nothing of it stays in the cache", async (_, write) => {
  using dir = tempDir();
  const path = join(dir.path, "x.tar.gz");
  write(path);
  await expect(open(dir.path, { kind: "archive", path })).rejects.toMatchObject({ code: "base_unavailable" });
  const cache = join(dir.path, "cache/bases");
  expect(existsSync(cache) ? readdirSync(cache) : []).toEqual([]);
});
