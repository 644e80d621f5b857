// What a check costs beside the bare engine, and what rollouts cost beside checkouts. Needs a container engine with the
// default image; without one it says so. Everything is measured in turns with its baseline, in one run.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openChecks } from "../dist/checks/checks.js";
import { openRunner } from "../dist/checks/over.js";
import { connectEngine } from "../dist/sandbox/docker-engine.js";
import { containerOptions } from "../dist/sandbox/docker-options.js";
import { dockerSandbox, probeEngine } from "../dist/sandbox/docker.js";
import { IMAGE } from "../dist/sandbox/image/recipe.js";
import { DEFAULT_LIMITS } from "../dist/sandbox/types.js";
import { createWorkspace } from "../dist/workspace/create.js";

/** About the size of a popular Python project: files, and bytes of each. */
const FILES = 2000;
const FILE_BYTES = 14_500;
const ROLLOUTS = 16;
const OVER = 8;

/** Time of a grader between two checks, and times that each is made. */
const THINKING_MS = 2000;
const ROUNDS = 9;

const LIMITS = { check: 1.3, over: 1.3, ready: 0.25 };

const median = (values) => values.toSorted((one, other) => one - other)[values.length >> 1];
const timed = async (work) => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

function row(name, ms, ratio, limit) {
  const text = limit === undefined ? "" : `limit ${limit} x ${ratio <= limit ? "kept" : "BROKEN"}`;
  console.log(
    `sandbox: ${name.padEnd(58)} ${ms.toFixed(0).padStart(6)} ms ${ratio.toFixed(2).padStart(6)} x ${text}`.trimEnd(),
  );
  return limit === undefined || ratio <= limit;
}

/** The repository, as files and as git has it, and a real change for each rollout. */
function makeRepository(dir, files) {
  const repo = join(dir, "repo");
  const git = (...args) => {
    const { status, stdout, stderr } = spawnSync("git", [
      "-C",
      repo,
      "-c",
      "user.name=b",
      "-c",
      "user.email=b@b",
      ...args,
    ]);
    if (status !== 0) throw new Error(`git ${args[0]}: ${stderr.toString()}`);
    return stdout;
  };
  const path = (index) => `pkg${index % 40}/part${index % 7}/m${index}.py`;
  const content = (index, change = 0) =>
    Array.from(
      { length: FILE_BYTES / 58 },
      (_, line) => `value_${line} = ${String(index * line + (line === 9 ? change : 0)).padStart(40)}\n`,
    ).join("");
  for (let index = 0; index < files; index += 1) {
    mkdirSync(join(repo, path(index), ".."), { recursive: true });
    writeFileSync(join(repo, path(index)), content(index));
  }
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "base");
  const patches = Array.from({ length: ROLLOUTS }, (_, rollout) => {
    for (const index of [0, 1, 2]) writeFileSync(join(repo, path(index)), content(index, rollout + 1));
    const patch = git("diff");
    git("checkout", "-q", ".");
    return patch;
  });
  return { repo, git, patches };
}

const workspaceOf = (dir, { repo, patches }) =>
  createWorkspace(
    {
      dir: join(dir, "workspace"),
      groupId: "g",
      task: { id: "t", statement: "" },
      repo: { kind: "folder", path: repo },
      seed: 0,
      rollouts: patches.map((bytes, index) => ({
        id: `r${index}`,
        passed: true,
        patch: async () => ({ state: "present", bytes }),
        trajectory: async () => undefined,
        testOutput: async () => undefined,
      })),
    },
    { cacheDir: join(dir, "cache"), warn: () => {} },
  );

const targetsOf = (workspace) => workspace.rollouts.map(({ label, patch }) => ({ label, tree: patch.tree }));

function openChecked(workspace, sandbox) {
  const runner = openRunner(workspace, sandbox, {
    tests: undefined,
    place: undefined,
    limits: {},
    msLeft: () => Infinity,
  });
  return {
    close: () => runner.close(),
    /** The rollouts' runs of a command, each on its own tree. */
    async run(targets, argv) {
      for (const { result } of await runner.run(targets, {
        tests: false,
        command: { argv, wall_ms: 60_000 },
      }))
        if (result.outcome !== "exited" || result.exit_code !== 0) throw new Error(JSON.stringify(result));
    },
  };
}

/** A container as boxes are, in which commands are run by the engine alone. */
async function openBare() {
  const engine = await connectEngine();
  const { NCPU } = await engine.info();
  const container = await engine.createContainer(
    containerOptions({
      image: IMAGE,
      variables: [],
      volumes: [],
      workdir: "/work",
      limits: DEFAULT_LIMITS,
      processors: NCPU,
      expires: Math.ceil(Date.now() / 1000) + 3600,
    }),
  );
  const line = await container.attach({ stream: true, stdin: true, hijack: true });
  await container.start();
  return {
    async run(argv) {
      const exec = await container.exec({
        Cmd: argv,
        User: "65534:65534",
        AttachStdout: true,
        AttachStderr: true,
      });
      const stream = await exec.start({ hijack: true });
      await new Promise((resolve) => stream.on("end", resolve).resume());
      const { ExitCode } = await exec.inspect();
      if (ExitCode !== 0) throw new Error(`a bare command ended with ${ExitCode}`);
    },
    async close() {
      line.destroy();
      await container.remove({ force: true, v: true });
    },
  };
}

/** (a) One command on one rollout, its tree laid for it, beside the same command by the engine alone. */
async function benchCheck(sandbox, workspace) {
  const bare = await openBare();
  const checked = openChecked(workspace, sandbox);
  const [first, second] = targetsOf(workspace);
  let kept = true;
  const python = ["python3", "-c", "import unittest"];
  for (const { name, argv } of [
    // Nothing that a check runs is over so soon: this shows what is added to it, in milliseconds.
    { name: "true", argv: ["true"] },
    { name: "python3 -c 'import unittest'", argv: python },
  ]) {
    const times = { bare: [], check: [] };
    await checked.run([first], argv);
    for (let round = 0; round < ROUNDS; round += 1) {
      // A grader thinks between two checks; what is made ready meanwhile is made ready for any of them.
      await new Promise((resolve) => setTimeout(resolve, THINKING_MS));
      times.bare.push(await timed(() => bare.run(argv)));
      times.check.push(await timed(() => checked.run([round % 2 === 0 ? second : first], argv)));
    }
    const baseline = median(times.bare);
    row(`baseline: bare docker exec of ${name}`, baseline, 1);
    kept =
      row(
        `a warm check of one rollout, ${name}`,
        median(times.check),
        median(times.check) / baseline,
        LIMITS.check,
      ) && kept;
  }
  await checked.close();
  await bare.close();
  return kept;
}

/**
 * (b) One script over several rollouts that all behave differently, so that each is run a second time to tell chance from
 * behaviour, beside the same runs of single rollouts, which nothing parts and which are asked for twice.
 */
async function benchOver(sandbox, workspace) {
  const checks = openChecks({ sandbox, workspace, limit: 1000 });
  const targets = targetsOf(workspace).slice(0, OVER);
  const text = "x = 0\nfor i in range(2_000_000): x += i\nprint(open('pkg0/part0/m0.py').readlines()[9])";
  const run = (over) => checks.runScript(over, { text, language: "python", timeout_s: 60, tests: false });
  await run(targets);
  const times = { single: [], over: [] };
  for (let round = 0; round < 3; round += 1) {
    let sum = 0;
    for (const target of [...targets, ...targets]) sum += await timed(() => run([target]));
    times.single.push(sum / availableParallelism());
    times.over.push(
      await timed(async () => {
        const { clusters } = await run(targets);
        if (clusters.length !== OVER) throw new Error(`${clusters.length} clusters`);
      }),
    );
  }
  await checks.close();
  const baseline = median(times.single);
  row(`baseline: 2 x ${OVER} single runs, shared by ${availableParallelism()} processors`, baseline, 1);
  return row(
    `a check over ${OVER} rollouts, each run twice`,
    median(times.over),
    median(times.over) / baseline,
    LIMITS.over,
  );
}

/** (c) Rollouts made runnable: a command has run in each one's tree. */
async function benchReady(sandbox, workspace, { git }, dir) {
  const checked = openChecked(workspace, sandbox);
  const targets = targetsOf(workspace);
  await checked.run(targets.slice(0, 2), ["true"]);
  // What changed is known by then: the detectors have read it.
  for (const { tree } of targets) await workspace.store.list(tree);
  const worktrees = await timed(() => {
    for (let index = 0; index < ROLLOUTS; index += 1)
      git("worktree", "add", "-q", "--detach", join(dir, `tree${index}`), "HEAD");
  });
  const boxes = await timed(() => checked.run(targets, ["true"]));
  await checked.close();
  row(`baseline: ${ROLLOUTS} x git worktree add, ${FILES} files`, worktrees, 1);
  return row(
    `${ROLLOUTS} rollouts laid in warm containers, and a command run`,
    boxes,
    boxes / worktrees,
    LIMITS.ready,
  );
}

/** @returns {Promise<boolean>} whether all limits are kept. */
export async function benchSandbox() {
  const { image, found } = await probeEngine();
  if (!image) {
    console.log(`sandbox: NOT RUN, there is no container engine with the default image here (${found})`);
    return true;
  }
  const dir = mkdtempSync(join(tmpdir(), "gagar-bench-"));
  const sandbox = dockerSandbox();
  try {
    const repository = makeRepository(dir, FILES);
    const workspace = await workspaceOf(dir, repository);
    const kept = [
      await benchCheck(sandbox, workspace),
      await benchOver(sandbox, workspace),
      await benchReady(sandbox, workspace, repository, dir),
    ];
    await workspace.close();
    return kept.every(Boolean);
  } finally {
    await sandbox.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exit((await benchSandbox()) ? 0 : 1);
