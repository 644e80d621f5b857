import { expect, test } from "vitest";
import { boxCommand, holderCommand } from "../../src/sandbox/bubblewrap-arguments.ts";
import { ageNotes } from "../../src/sandbox/docker-age.ts";
import { containerOptions, OWNER } from "../../src/sandbox/docker-options.ts";
import { DEFAULT_LIMITS } from "../../src/sandbox/types.ts";

const input = {
  image: "some:1",
  variables: ["LD_LIBRARY_PATH", "PATH"],
  volumes: ["/data"],
  workdir: "/testbed",
  limits: { ...DEFAULT_LIMITS, memory_bytes: 100, pids: 7, cpus: 8, open_files: 11, file_bytes: 13 },
  processors: 4,
  expires: 17,
};

test("a container gets nothing of the host and a limit on everything", () => {
  const { HostConfig: host, ...options } = containerOptions(input);
  expect(options).toMatchObject({
    User: "65533:65533",
    NetworkDisabled: true,
    Healthcheck: { Test: ["NONE"] },
    Env: ["LD_LIBRARY_PATH", "PATH=/usr/bin:/bin", "HOME=/tmp", "LANG=C.UTF-8"],
    StdinOnce: true,
    Labels: { "gagar.sandbox": "box", "gagar.sandbox.expires": "17", "gagar.sandbox.owner": OWNER },
  });
  expect(host).toMatchObject({
    AutoRemove: false,
    Binds: [],
    CapDrop: ["ALL"],
    Init: true,
    IpcMode: "private",
    Memory: 100,
    MemorySwap: 100,
    NanoCpus: 4e9,
    NetworkMode: "none",
    PidsLimit: 7,
    Privileged: false,
    ReadonlyRootfs: true,
    SecurityOpt: ["no-new-privileges"],
  });
  // Whatever else lets something in or a limit out.
  const dangerous =
    /^(CapAdd|Mounts|VolumesFrom|Devices|DeviceRequests|PidMode|UTSMode|UsernsMode|OomKillDisable|ExtraHosts|PortBindings|Sysctls|GroupAdd|MaskedPaths|ReadonlyPaths)$/;
  expect(Object.keys(host).filter((key) => dangerous.test(key))).toEqual([]);
  expect(JSON.stringify(options) + JSON.stringify(host)).not.toMatch(/docker\.sock|\/var\/run|unconfined/);
  expect(host.Ulimits.map(({ Name, Hard }) => [Name, Hard])).toEqual([
    ["core", 0],
    ["fsize", 13],
    ["nofile", 11],
    ["nproc", 8192],
  ]);
});

test("all that a container can write has a size, a number of files, no devices and no set-uid", () => {
  const { Tmpfs } = containerOptions(input).HostConfig;
  expect(Object.keys(Tmpfs).sort()).toEqual(["/data", "/dev/shm", "/input", "/testbed", "/tmp"]);
  for (const mount of Object.values(Tmpfs))
    expect(mount).toMatch(/^rw,nosuid,nodev,.*size=\d+,nr_inodes=\d+$/);
  expect(Tmpfs["/input"]).toContain("noatime,mode=755,uid=65533");
  expect(Tmpfs["/testbed"]).toContain("mode=1777,uid=65533");
});

test("the runtime and the processors are those that were asked for, as far as they are there", () => {
  const { Runtime, NanoCpus } = containerOptions({ ...input, processors: 16, runtime: "runsc" }).HostConfig;
  expect([Runtime, NanoCpus]).toEqual(["runsc", 8e9]);
});

const bubblewrap = (more: Partial<Parameters<typeof boxCommand>[0]> = {}) =>
  boxCommand({
    holder: 5,
    joinFiles: ["/sys/fs/cgroup/x/cgroup.procs"],
    controllers: new Set(["memory", "pids"]),
    limits: input.limits,
    root: ["--ro-bind", "/usr", "/usr"],
    workdir: "/work",
    inputWritable: false,
    filtered: true,
    env: { X: "1" },
    argv: ["true"],
    ...more,
  });

test("bubblewrap unshares everything, and what it binds to write is the box's own", () => {
  const args = bubblewrap();
  expect(args).toEqual(
    expect.arrayContaining(
      "--unshare-all --unshare-user --disable-userns --die-with-parent --new-session --clearenv --seccomp --core=0 --fsize=13 --nofile=11".split(
        " ",
      ),
    ),
  );
  const writable = args.flatMap((word, at) => (/^--(dev-)?bind(-try)?$/.test(word) ? [args[at + 2]] : []));
  expect(writable).toEqual(["/work", "/tmp", "/dev/shm"]);
  expect(args.filter((word) => word.startsWith("--share"))).toEqual([]);
  expect(args.slice(-2)).toEqual(["--", "true"]);
});

test("limits of single processes stand in where there is no control group", () => {
  const lone = bubblewrap({ controllers: new Set(), joinFiles: [] });
  expect(lone).toEqual(expect.arrayContaining(["--nproc=7", "--data=100"]));
  expect(bubblewrap().filter((word) => /^--(nproc|data)=/.test(word))).toEqual([]);
});

test("the folders of a box have a size and a number of files", () => {
  expect(holderCommand(input.limits).filter((word) => word.startsWith("size=")).length).toBe(4);
});

test.each([
  ["20.10.24", true],
  ["28.2.2", true],
  ["29.4.9", true],
  ["29.5.0+dfsg1", true],
  ["29.5.1", false],
  ["29.10.0", false],
  ["30.0.0", false],
  ["4.3.1", false],
  ["dev", false],
])("S14 an engine of version %s is one to warn of: %s", (version, warned) => {
  expect(ageNotes(version).join("")).toMatch(warned ? /^Engine .* older than 29\.5\.1/ : /^$/);
});
