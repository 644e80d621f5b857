import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gradeGroup } from "../../src/grade.ts";
import { makeGroup } from "../helpers/group.ts";

const env = { ...process.env, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd, env, stdio: "ignore" });

const base = { "calc.py": "def add(a, b):\n    return a - b\n", ".gitattributes": "* filter=x diff=x\n" };
const rollouts = {
  good: { files: { "calc.py": "def add(a, b):\n    return a + b\n" }, advantage: 1 },
  other: { files: { "calc.py": "def add(a, b):\n    return sum((a, b))\n" }, advantage: 1 },
};

/** A program that leaves a trace when anything runs it. */
function trap(folder: string): { program: string; sprung: () => boolean } {
  const canary = join(folder, "canary");
  const program = join(folder, "trap.sh");
  writeFileSync(program, `#!/bin/sh\ntouch ${canary}\ncat 2>/dev/null\n`);
  chmodSync(program, 0o755);
  return { program, sprung: () => existsSync(canary) };
}

test("S05 a folder whose own git is full of traps is graded, and none goes off", async () => {
  using group = makeGroup({ base, rollouts });
  const repo = join(group.dir, "repo");
  const { program, sprung } = trap(group.dir);
  git(repo, "init", "-q");
  git(repo, "add", "-f", ".");
  git(repo, "commit", "-qm", "base");
  for (const key of [
    "core.fsmonitor",
    "diff.external",
    "filter.x.clean",
    "filter.x.smudge",
    "diff.x.textconv",
  ])
    git(repo, "config", key, program);
  for (const hook of ["post-checkout", "post-index-change", "reference-transaction"]) {
    writeFileSync(join(repo, ".git/hooks", hook), `#!/bin/sh\n${program}\n`);
    chmodSync(join(repo, ".git/hooks", hook), 0o755);
  }
  expect(await gradeGroup(group)).toMatchObject({ status: "graded" });
  expect(sprung()).toBe(false);
  // Positive control.
  git(repo, "status");
  expect(sprung()).toBe(true);
});

test("S06 a bare repository among the files is files, and its configuration is not read", async () => {
  using group = makeGroup({ base, rollouts });
  const { program, sprung } = trap(group.dir);
  const bare = join(group.dir, "repo/fixtures/inner");
  mkdirSync(bare, { recursive: true });
  git(bare, "init", "-q", "--bare");
  git(bare, "config", "core.bare", "false");
  git(bare, "config", "core.worktree", ".");
  git(bare, "config", "core.fsmonitor", program);
  rmSync(join(bare, "hooks"), { recursive: true, force: true });
  expect(await gradeGroup(group)).toMatchObject({ status: "graded" });
  expect(sprung()).toBe(false);
  // Positive control.
  git(bare, "status");
  expect(sprung()).toBe(true);
});

test("S08 submodules and pointers are data: nothing is fetched, and the other rollouts are graded", async () => {
  using group = makeGroup({ base, rollouts });
  const { program, sprung } = trap(group.dir);
  const patch = [
    `diff --git a/.gitmodules b/.gitmodules\nnew file mode 100644\n--- /dev/null\n+++ b/.gitmodules\n@@ -0,0 +1,3 @@\n+[submodule "x"]\n+\tpath = x\n+\turl = ext::sh -c ${program}\n`,
    `diff --git a/x b/x\nnew file mode 160000\nindex 0000000..1234567\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+Subproject commit 1234567890123456789012345678901234567890\n`,
    `diff --git a/big.bin b/big.bin\nnew file mode 100644\n--- /dev/null\n+++ b/big.bin\n@@ -0,0 +1,3 @@\n+version https://git-lfs.github.com/spec/v1\n+oid sha256:${"0".repeat(64)}\n+size 12345\n`,
    "diff --git a/calc.py b/calc.py\n--- a/calc.py\n+++ b/calc.py\n@@ -1,2 +1,2 @@\n def add(a, b):\n-    return a - b\n+    return a + b\n",
  ].join("");
  const grade = await gradeGroup({
    ...group,
    group: {
      ...group.group,
      rollouts: [...group.group.rollouts, { id: "odd", passed: true, advantage: 1, patch }],
    },
  });
  expect(grade.status).toBe("graded");
  expect(grade.rollouts.map(({ id, tier }) => [id, tier !== undefined])).toEqual([
    ["good", true],
    ["other", true],
    ["odd", true],
  ]);
  expect(sprung()).toBe(false);
});

test("S01 a patch that leaves the repository is refused with its path, and the others are graded", async () => {
  const out = (path: string) =>
    `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`;
  const paths = ["../up", ".git/config", ".GIT/hooks/x", "sub/.git/x", "a/../../up"];
  using group = makeGroup({
    base,
    rollouts: {
      ...rollouts,
      ...Object.fromEntries(paths.map((path) => [path, { patch: out(path), advantage: 1 }])),
    },
  });
  const grade = await gradeGroup(group);
  expect(grade.status).toBe("graded");
  for (const path of paths) {
    expect(grade.rollouts.find(({ id }) => id === path)).toMatchObject({
      ungraded: expect.any(String),
      advantage: 1,
    });
    expect(grade.warnings?.join("\n")).toContain(JSON.stringify(path));
  }
  expect(existsSync(join(group.dir, "up"))).toBe(false);
});
