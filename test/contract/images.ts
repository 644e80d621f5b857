import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { gradeGroup } from "../../src/grade.ts";
import { scriptedInspector } from "../../src/models/scripted.ts";
import { connectEngine } from "../../src/sandbox/docker-engine.ts";
import { OWNER, OWNER_LABEL } from "../../src/sandbox/docker-options.ts";
import { prune } from "../../src/sandbox/prune.ts";
import type { Sandbox } from "../../src/sandbox/types.ts";
import type { Tests } from "../../src/schema/group.ts";
import type { LoadedGroup } from "../../src/sources/index.ts";
import { makeGroup } from "../helpers/group.ts";
import { makeImage, removeImage } from "../helpers/image.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import type { Files } from "../helpers/workspace.ts";
import { openStore } from "../../src/workspace/store.ts";
import { openBase } from "../../src/workspace/base.ts";

const TESTED = `gagar-test-inside:${process.pid}`;
const BARE = `gagar-test-bare:${process.pid}`;
const EMPTY = `gagar-test-empty:${process.pid}`;

const BASE: Files = {
  "pkg/__init__.py": "def f(x):\n    return x\n",
  "tests/test_f.py": `import unittest, built
from pkg import f
class T(unittest.TestCase):
    def test_one(self): self.assertEqual(f(1), 2)
`,
  "tests/__init__.py": "",
};
const COMMAND = "python3 -m unittest discover -s tests -t .";

/** A task's image: repository with history, what was built in it, variables, and git's ways to run programs. */
const INSIDE = `mkdir -p /testbed/pkg /testbed/tests /opt/tools && cd /testbed
printf '${BASE["pkg/__init__.py"]?.replaceAll("\n", "\\n")}' >pkg/__init__.py
printf '${BASE["tests/test_f.py"]?.replaceAll("\n", "\\n")}' >tests/test_f.py
touch tests/__init__.py
echo 'built.py' >.gitignore; echo '*.md -diff' >.gitattributes
echo x >'quo"te'; ln -s /etc/passwd link; echo '#!/bin/sh' >run.sh; chmod 755 run.sh; ln run.sh twin.sh
git init -q && git add -A && git -c user.name=t -c user.email=t@t commit -qm base
echo 'work' >'quo"te'
echo 'X = 1' >built.py; mkdir lib node_modules; echo y >node_modules/y
git config core.fsmonitor '/bin/sh -c "touch /tmp/ran"'
printf '#!/bin/sh\\necho tool of the image\\n' >/opt/tools/tool; chmod 755 /opt/tools/tool
chmod 600 built.py`;

/** What task images promise, on every engine. */
export function imagesContract(name: string, make: () => Sandbox): void {
  describe(`images: ${name}`, () => {
    let sandbox: Sandbox;
    beforeAll(async () => {
      sandbox = make();
      await makeImage(TESTED, INSIDE, [
        "ENV PATH=/opt/tools:/usr/local/bin:/usr/bin:/bin",
        "ENV LD_LIBRARY_PATH=/testbed/lib",
        "ENV HOME=/root",
        "VOLUME /data",
      ]);
      await makeImage(
        BARE,
        "mkdir -p /code/.venv; echo x >/code/x.py; echo y >/code/.venv/y; echo z >/code/x.so",
      );
      await makeImage(EMPTY, "rm -f /usr/bin/xargs /usr/bin/dd /bin/dd");
    }, 240_000);
    afterAll(async () => {
      await sandbox.close();
      for (const image of [TESTED, BARE, EMPTY]) await removeImage(image);
      await prune(BARE);
    });

    const group = (rollouts: Record<string, Files>, tests: Partial<Tests> = {}): LoadedGroup & Disposable => {
      const made = makeGroup({
        base: BASE,
        rollouts: Object.fromEntries(
          Object.entries(rollouts).map(([id, files]) => [id, { files, advantage: 1 }]),
        ),
        tests: { command: COMMAND, runner: "unittest", ...tests },
      });
      return { ...made, group: { ...made.group, repo: { image: TESTED, workdir: "/testbed" } } };
    };
    const scripts = (...calls: Record<string, unknown>[]) =>
      scriptedInspector([calls.map((args) => ({ name: "run_check", args })), [], []]);

    test("what git tracks there is the base, as it lies in the folder; the rest is not", async () => {
      using dir = tempDir();
      const open = async (image: string, workdir: string) => {
        const warnings: string[] = [];
        const gitDir = `${dir.path}/${image.replaceAll(/\W/g, "-")}.git`;
        const options = {
          cacheDir: `${dir.path}/cache`,
          readImage: sandbox.images?.read,
          warn: (warning: { code: string }) => warnings.push(warning.code),
        };
        const tree = await openBase(gitDir, { kind: "image", image, workdir }, options);
        const store = openStore(gitDir);
        const entries = await store.list(tree);
        const text = await store.readText(tree, 'quo"te');
        store.close();
        return { listed: entries.map(({ mode, path }) => `${mode} ${path}`), text, warnings };
      };
      expect(await open(TESTED, "/testbed")).toEqual({
        listed: [
          "100644 .gitattributes",
          "100644 .gitignore",
          "120000 link",
          "100644 pkg/__init__.py",
          '100644 quo"te',
          "100755 run.sh",
          "100644 tests/__init__.py",
          "100644 tests/test_f.py",
          "100755 twin.sh",
        ],
        text: "work\n",
        warnings: [],
      });
      expect(await open(BARE, "/code")).toEqual({
        listed: ["100644 x.py"],
        text: undefined,
        warnings: ["base_guessed"],
      });
    });

    test("a group whose repository lies only inside an image is graded, with the image's own programs", async () => {
      using made = group({
        add: { "pkg/__init__.py": "def f(x):\n    return x + 1\n" },
        none: { "pkg/other.py": "y = 1\n" },
        same: { "pkg/__init__.py": "def f(x):\n    return 1 + x\n" },
      });
      const look =
        "pwd; tool; cat built.py; ls -A . pkg; echo $HOME $LD_LIBRARY_PATH; [ -O built.py ] && echo own";
      const grade = await gradeGroup(made, {
        sandbox,
        inspector: scriptedInspector([
          [
            { name: "run_tests", args: {} },
            { name: "run_check", args: { language: "shell", script: look, rollouts: ["A"] } },
            { name: "shell", args: { command: "ls; ls A; tool" } },
          ],
          [],
          [],
        ]),
      });
      const [tests, check, shell] = grade.checks ?? [];
      const of = (id: string) => tests?.runs.find((run) => run.rollout === id)?.status;
      expect([of("add"), of("same"), of("none"), of("base")]).toEqual([
        "passed",
        "passed",
        "failed",
        "failed",
      ]);
      expect(check?.runs.map(({ outcome, exit_code }) => [outcome, exit_code])).toEqual([["exited", 0]]);
      expect(shell?.runs.map(({ outcome, exit_code }) => [outcome, exit_code])).toEqual([["exited", 0]]);
    });

    test("in a box: folder, variables, what was built, owner; and what the image sets reaches commands alone", async () => {
      const prepared = await sandbox.images?.prepare({ image: TESTED, workdir: "/testbed" });
      if (prepared?.outcome !== "prepared") throw new Error(JSON.stringify(prepared));
      const box = await sandbox.open({ image: prepared.image, workdir: "/testbed" });
      const say = async (script: string) => {
        const { outcome, stdout } = await box.run({ argv: ["sh", "-c", script] });
        return [outcome, stdout.toString()];
      };
      const file = { kind: "file", executable: false } as const;
      const files = () => [{ ...file, path: "pkg/__init__.py", content: Buffer.from("changed\n") }];
      await box.lay({ from: "/gagar/work", remove: ["tests"], files });
      const look =
        "pwd; tool; cat built.py pkg/__init__.py; ls -A; echo $HOME $LD_LIBRARY_PATH; stat -c %u:%a built.py; [ pkg/__init__.py -nt built.py ] && echo newer";
      expect(await say(look)).toEqual([
        "exited",
        '/testbed\ntool of the image\nX = 1\nchanged\n.gitattributes\n.gitignore\nbuilt.py\nlib\nlink\nnode_modules\npkg\nquo"te\nrun.sh\ntwin.sh\n/tmp /testbed/lib\n65534:600\nnewer\n',
      ]);
      // A library where the image looks for them: neither what lays files nor the keeper may load it, or the container
      // would be of no use and another one would be made.
      const container = () => say("readlink /proc/self/ns/pid");
      const before = await container();
      await say(
        "for name in libc.so.6 libselinux.so.1; do echo no library >lib/$name; done; mkdir -m 0 /data/x",
      );
      await box.lay({ from: "/gagar/work" });
      expect(await say("ls lib /data; cat tests/test_f.py | wc -l")).toEqual([
        "exited",
        "/data:\n\nlib:\n4\n",
      ]);
      expect(await container()).toEqual(before);
      await box.close();
    });

    test.each([
      ["/testbed/../etc", "no absolute path"],
      ["testbed", "no absolute path"],
      ["/", "no absolute path"],
      ["/tmp/x", "which boxes mount"],
      ["/nonesuch", "nothing in /nonesuch"],
    ])("no base from %s", async (workdir, reason) => {
      await expect(sandbox.images?.read({ image: TESTED, workdir })).rejects.toMatchObject({
        code: "base_unavailable",
        message: expect.stringContaining(reason),
      });
    });

    test("an image that lacks what boxes need says what", async () => {
      const wanted = { image: EMPTY, base: { key: "0", files: () => [] }, setup: setup("true") };
      expect(await sandbox.images?.prepare(wanted)).toMatchObject({
        outcome: "sandbox_failed",
        reason: expect.stringMatching(/the image lacks.* xargs/),
      });
    });

    test("a work folder that does not fit names the limit to raise", async () => {
      const wanted = {
        image: BARE,
        base: {
          key: "big",
          files: () => [
            { path: "x", kind: "file" as const, executable: false, content: Buffer.alloc(3_000_000) },
          ],
        },
        setup: setup("echo ok"),
      };
      expect(await sandbox.images?.prepare({ ...wanted, limits: { work_bytes: 1_000_000 } })).toMatchObject({
        outcome: "unavailable",
        reason: expect.stringMatching(/takes 3 MiB and a box has room for 1 MiB: raise the limit work/),
      });
      expect(await sandbox.images?.prepare({ ...wanted, limits: { work_files: 1 } })).toMatchObject({
        reason: expect.stringContaining("raise the limit files"),
      });
      expect(await sandbox.images?.prepare(wanted)).toMatchObject({ outcome: "prepared" });
    });

    test("a setup is run once, by root; what it leaves is there for every rollout, and kept", async () => {
      using made = makeGroup({
        base: { "f.py": "x = 1\n" },
        rollouts: {
          a: { files: { "f.py": "x = 2\n" }, advantage: 1 },
          b: { files: { "f.py": "x = 3\n" }, advantage: 1 },
        },
        tests: {
          image: BARE,
          command: "cat nonce /usr/local/nonce",
          setup:
            "set -e; id -u >who; head -c 8 /dev/urandom | od -An -tx1 >nonce; cp nonce /usr/local/nonce; chown 12:13 who; su -s /bin/sh nobody -c 'id -u' >>who; cat f.py >>who",
        },
      });
      const run = async () => {
        const own = make();
        const script = { language: "shell", script: "cat nonce /usr/local/nonce who; id -u; rm -f nonce" };
        const grade = await gradeGroup(made, { sandbox: own, inspector: scripts(script, script) });
        await own.close();
        return grade.checks?.map(({ clusters, runs }) => [
          clusters.length,
          runs.map((each) => each.exit_code),
        ]);
      };
      expect(await run()).toEqual([
        [1, [0, 0]],
        [1, [0, 0]],
      ]);
      const before = await preparedImages(BARE);
      expect(await run()).toEqual([
        [1, [0, 0]],
        [1, [0, 0]],
      ]);
      expect(await preparedImages(BARE)).toEqual(before);
    });

    test.each([
      [
        "fails",
        "echo first; echo the reason >&2; exit 7",
        /the setup ended with status 7:\nfirst\nthe reason/,
      ],
      [
        "uses a network that was not given",
        "cat /etc/resolv.conf >/dev/null; getent hosts deb.debian.org || exit 9",
        /status 9/,
      ],
    ])("a setup that %s is one answer for all rollouts", async (_what, command, reason) => {
      using made = makeGroup({
        base: { "f.py": "x = 1\n" },
        rollouts: {
          a: { files: { "f.py": "x = 2\n" }, advantage: 1 },
          b: { files: { "f.py": "x = 3\n" }, advantage: 1 },
        },
        tests: { image: BARE, command: "true", setup: command },
      });
      const grade = await gradeGroup(made, {
        sandbox,
        inspector: scriptedInspector([[{ name: "run_tests", args: {} }], [], []]),
      });
      const [check] = grade.checks ?? [];
      expect(check?.clusters.length).toBe(1);
      for (const run of check?.runs ?? [])
        expect(run).toMatchObject({ outcome: "sandbox_failed", reason: expect.stringMatching(reason) });
    });

    test("a setup that is to have a network has one, or says that there is none", async () => {
      const wanted = {
        image: BARE,
        base: { key: "network", files: () => [] },
        setup: { ...setup("[ $(wc -l </proc/net/dev) -gt 3 ]"), network: true },
      };
      const prepared = await sandbox.images?.prepare(wanted);
      expect(prepared).toMatchObject(
        prepared?.outcome === "prepared"
          ? { image: expect.stringContaining("gagar-prepared:") }
          : { reason: expect.stringContaining("this engine gives containers none") },
      );
    });

    test("a setup is ended when its time is over", async () => {
      const wanted = {
        image: BARE,
        base: { key: "slow", files: () => [] },
        setup: { ...setup("sleep 60"), wall_ms: 1500 },
      };
      expect(await sandbox.images?.prepare(wanted)).toMatchObject({
        outcome: "sandbox_failed",
        reason: expect.stringMatching(/the setup was ended \(timed_out, after \d s\)/),
      });
    });

    test("no container is left, and prepared images go when they are told to", async () => {
      const engine = await connectEngine();
      const label = [`${OWNER_LABEL}=${OWNER}`];
      await sandbox.close();
      expect((await engine.listContainers({ all: true, filters: { label } })).length).toBe(0);
      expect(await preparedImages(TESTED)).not.toEqual([]);
      const { images } = await prune(TESTED);
      expect(images.length).toBeGreaterThan(0);
      expect(await preparedImages(TESTED)).toEqual([]);
    });
  });
}

const setup = (command: string) => ({ command, network: false, wall_ms: 20_000 });

async function preparedImages(from: string): Promise<string[]> {
  const engine = await connectEngine();
  return (await engine.listImages({ filters: { label: [`gagar.prepared=${from}`] } }))
    .map(({ Id }) => Id)
    .sort();
}
