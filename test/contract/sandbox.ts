import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Box, Command, Limits, RunResult, Sandbox } from "../../src/sandbox/types.ts";
import { file, python, sh } from "../helpers/commands.ts";
import { LEAKS } from "./leaks.ts";

export interface SandboxUnderTest {
  make: () => Sandbox;
  /** Podman's filter of system calls is wider, and it adds a line of its own to the errors of a command. `describe` says so. */
  engine?: "podman";
  /** What boxes of this sandbox have left on the host: containers, processes, control groups. */
  leftovers: () => Promise<string[]>;
}

const MIB = 1024 * 1024;
const SMALL: Partial<Limits> = {
  wall_ms: 20_000,
  output_bytes: 8 * MIB,
  memory_bytes: 256 * MIB,
  pids: 64,
  open_files: 256,
  file_bytes: 16 * MIB,
  input_bytes: 32 * MIB,
  input_files: 2000,
  work_bytes: 32 * MIB,
  work_files: 2000,
  temp_bytes: 16 * MIB,
};

/** Outcome and text: what most tests look at. */
const seen = ({ stdout, stderr, truncated: _truncated, wall_ms: _wall, ...outcome }: RunResult) => ({
  ...outcome,
  out: stdout.toString("latin1"),
  err: stderr.toString("latin1"),
});
const exited = (out: string, status = 0) => ({ outcome: "exited", exit_code: status, out, err: "" });

/** What every sandbox has to do, whatever it is made of. */
export function sandboxContract(name: string, { make, leftovers, engine }: SandboxUnderTest): void {
  const podman = engine === "podman";
  describe(`sandbox: ${name}`, () => {
    let sandbox: Sandbox;
    let box: Box;
    beforeAll(async () => {
      sandbox = make();
      box = await sandbox.open({ limits: SMALL });
    });
    afterAll(() => sandbox.close());
    const works = async () => expect(seen(await box.run(sh("echo ok")))).toEqual(exited("ok\n"));

    test("it says what it is and what it cannot promise", async () => {
      const told = await sandbox.describe();
      expect(told).toMatchObject({ available: true, found: expect.stringMatching(/\d/) });
      expect(told.cannot.join()).toContain("kernel");
    });

    test.each<[string, Command, number, string?]>([
      ["success", sh("exit 0"), 0],
      ["failure", sh("exit 3"), 3],
      ["no such program", { argv: ["nonesuch"] }, 127],
      ["no program at all", { argv: ["/etc/passwd"] }, 126],
      ["no such folder", { argv: ["true"], cwd: "nonesuch" }, 126],
      ["a signal", sh("kill -SEGV $$"), 139, "SIGSEGV"],
      ["the strongest signal", sh("kill -KILL $$"), 137, "SIGKILL"],
    ])("%s has its exit status", async (_what, command, status, signal) => {
      const { outcome, ...result } = await box.run(command);
      expect(outcome).toBe("exited");
      expect(result).toMatchObject({ exit_code: status, ...(signal === undefined ? {} : { signal }) });
    });

    test("arguments, folder, input and variables arrive as they are; streams stay apart", async () => {
      await box.lay({ files: () => [file("sub dir/x", "")] });
      const odd = ["a b", "", "$HOME", "-n", 'quo"te', "new\nline", "é\u2028"];
      const command: Command = {
        argv: [
          "python3",
          "-c",
          "import os,sys; print(sys.argv[1:]); print(os.getcwd(), os.environ['X'], input(), file=sys.stderr)",
          ...odd,
        ],
        cwd: "sub dir",
        env: { X: "a=b\nc" },
        stdin: Buffer.from("input\n"),
      };
      const { out, err } = seen(await box.run(command));
      expect(Buffer.from(out, "latin1").toString()).toBe(
        "['a b', '', '$HOME', '-n', 'quo\"te', 'new\\nline', 'é\\u2028']\n",
      );
      expect(err).toBe("/work/sub dir a=b\nc input\n");
    });

    test.each<[string, Buffer]>([
      ["nothing", Buffer.alloc(0)],
      ["every byte", Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))],
      ["no valid UTF-8", Buffer.from([0xc3, 0x28, 0xff, 0xfe, 0x00, 0x0d, 0x0a])],
      ["5 MB of noise", randomBytes(5_000_000)],
    ])("%s goes in as file and as input, and comes out as output and as file", async (_what, bytes) => {
      await box.put("data", () => [file("d/x", bytes)]);
      const copied = await box.run(sh("cat /input/data/d/x; cat >out", { stdin: bytes }));
      expect(copied).toMatchObject({ outcome: "exited", exit_code: 0, truncated: false });
      expect(copied.stdout.equals(bytes)).toBe(true);
      const read = await box.read("out", 6_000_000);
      expect(read.outcome).toBe("read");
      if (read.outcome === "read") expect(read.bytes.equals(bytes)).toBe(true);
    });

    test("input that nobody reads does no harm, and without input there is none", async () => {
      const unread = seen(await box.run(sh("exit 4", { stdin: Buffer.alloc(5_000_000) })));
      expect(unread).toEqual({ ...exited("", 4), err: podman ? expect.any(String) : "" });
      expect(seen(await box.run(sh("cat; echo end")))).toEqual(exited("end\n"));
    });

    test("S09 a tree arrives as it is: odd names, modes, links", async () => {
      const long = `${"d".repeat(120)}/${"e".repeat(120)}/${"f".repeat(200)}`;
      await box.lay({
        files: () => [
          file("-rf", "1"),
          file('quo"te\nline', "2"),
          file("umlaut-ü-\u{1f600}", "3"),
          file(long, "4"),
          file("run.sh", "#!/bin/sh\necho ran\n", true),
          { path: "other.sh", kind: "hardlink", target: "run.sh" },
          { path: "dangling", kind: "symlink", target: Buffer.from(`/${"t".repeat(150)}`) },
          { path: "odd", kind: "symlink", target: Buffer.from([0x61, 0xff]) },
        ],
      });
      const list = python(
        `import os
for top, folders, names in os.walk(b"."):
    folders.sort()
    for n in sorted(names):
        p = os.path.join(top, n)
        print(p, oct(os.lstat(p).st_mode), os.readlink(p) if os.path.islink(p) else open(p, "rb").read(1))`,
      );
      const { out } = seen(await box.run(list));
      expect(out.trim().split("\n")).toEqual([
        `b'./-rf' 0o100644 b'1'`,
        `b'./dangling' 0o120777 b'/${"t".repeat(150)}'`,
        `b'./odd' 0o120777 b'a\\xff'`,
        `b'./other.sh' 0o100755 b'#'`,
        `b'./quo"te\\nline' 0o100644 b'2'`,
        `b'./run.sh' 0o100755 b'#'`,
        `b'./umlaut-\\xc3\\xbc-\\xf0\\x9f\\x98\\x80' 0o100644 b'3'`,
        `b'./${long}' 0o100644 b'4'`,
      ]);
      expect(seen(await box.run({ argv: ["./other.sh"] }))).toEqual(exited("ran\n"));
    });

    test.each([
      ["nonesuch", "missing"],
      ["folder", "directory"],
      ["link", "not_a_file"],
      ["pipe", "not_a_file"],
      ["/dev/zero", "not_a_file"],
      ["closed", "denied"],
      ["sparse", "too_large"],
      ["eleven", "too_large"],
      ["ten", "read"],
      ["-ten", "read"],
    ])("S15 reading %s: %s", async (path, outcome) => {
      await box.run(
        sh(
          "mkdir -p folder; ln -sf /etc/passwd link; [ -p pipe ] || mkfifo pipe; :>closed; chmod 0 closed; truncate -s 10M sparse; printf 12345678901 >eleven; printf 1234567890 | tee ./-ten >ten",
        ),
      );
      expect((await box.read(path, 10)).outcome).toBe(outcome);
    });

    test("work is laid from a folder, without some paths and with files over it", async () => {
      await box.put("base", () => [file("a/b/c", "c"), file("a/d", "d"), file("e", "e"), file("f/g", "g")]);
      await box.lay({
        from: "base",
        remove: ["a/b", "e", "f"],
        files: () => [file("a/d", "new"), file("e/x", "folder now"), file("f", "file now")],
      });
      expect(seen(await box.run(sh("grep -r '' . | sort")))).toEqual(
        exited("./a/d:new\n./e/x:folder now\n./f:file now\n"),
      );
    });

    describe("nothing leaks from one laying to the next", () => {
      const laid = () => box.lay({ from: "base", files: () => [file("only", "")] });
      beforeAll(() => box.put("base", () => [file("a/b", "b"), file("c", "c")]));

      test.each(LEAKS)("$what", async ({ leave, look, shows }) => {
        await laid();
        const clean = seen(await box.run(look));
        expect(clean).toMatchObject({ outcome: "exited", exit_code: 0 });
        await laid();
        expect(await box.run(leave)).toMatchObject({ outcome: "exited", exit_code: 0 });
        // Otherwise nothing was left that could be seen.
        if (shows) expect(seen(await box.run(look)).out).not.toBe(clean.out);
        await laid();
        expect(seen(await box.run(look))).toEqual(clean);
        await laid();
        await box.warm();
        expect(seen(await box.run(look))).toEqual(clean);
      });
    });

    test("code under test writes its work folder and nothing that is not its own", async () => {
      await box.put("check", () => [file("check.sh", "#!/bin/sh\necho true script\n", true)]);
      await box.lay({ files: () => [file("x", "")] });
      const attack = sh(`
        echo mine >x && echo mine >/tmp/x && echo written
        for path in /input/new /input/check/new /input/check/check.sh /etc/passwd /usr/new /new /root/x /proc/sys/kernel/core_pattern /sys/x; do
          echo y 2>/dev/null >"$path" && echo "wrote $path"
        done
        rm -rf /input/check 2>/dev/null; mv /input/check /input/gone 2>/dev/null; chmod -R 777 /input 2>/dev/null
        for id in /proc/[0-9]*; do [ "\${id#/proc/}" = $$ ] || kill -9 "\${id#/proc/}" 2>/dev/null; done; exit 0`);
      expect(seen(await box.run(attack)).out).toBe("written\n");
      expect(seen(await box.run({ argv: ["/input/check/check.sh"] }))).toEqual(exited("true script\n"));
    });

    test("no privilege: another user, no capability, no way to new ones", async () => {
      const { out } = seen(
        await box.run(
          sh(
            "id -u; grep -E '^(Cap|NoNewPrivs|Groups|Seccomp:)' /proc/self/status; ulimit -c; unshare -Ur true 2>/dev/null && echo namespace; mount -t tmpfs x /tmp 2>/dev/null && echo mounted",
          ),
        ),
      );
      const none = "0000000000000000";
      expect(out.split("\n").map((line) => line.replaceAll(/\s+/g, " ").trim())).toEqual([
        "65534",
        expect.stringMatching(/^Groups:( 65534)?$/),
        ...["CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"].map((set) => `${set}: ${none}`),
        "NoNewPrivs: 1",
        "Seccomp: 2",
        "0",
        ...(podman ? ["namespace"] : []),
        "",
      ]);
    });

    test("the kernel's keyrings, which no namespace divides, are out of reach", async () => {
      const script = `import ctypes, os, platform
add_key, keyctl, getpid = (248, 250, 39) if platform.machine() == "x86_64" else (217, 219, 172)
call = ctypes.CDLL(None, use_errno=True).syscall
print(call(getpid) == os.getpid())
for args in ((add_key, b"user", b"gagar", b"x", 1, -3), (keyctl, 0, -3, 1)):
    print(call(*args), ctypes.get_errno())`;
      const { out } = seen(await box.run(python(script)));
      expect(out).toMatch(podman ? /^True\n-?\d+ \d+\n[1-9]\d* / : /^True\n-1 1\n-1 1\n$/);
    });

    test("S16 no network: a loopback device alone, no route, no name service", async () => {
      const { out } = seen(
        await box.run(
          python(`import socket, errno
print([name for _, name in socket.if_nameindex()])
for address in ("169.254.169.254", "1.1.1.1", "172.17.0.1"):
    s = socket.socket(); s.settimeout(2)
    print(errno.errorcode[s.connect_ex((address, 80))])
for name in ("deb.debian.org", "host.docker.internal"):
    try: print(socket.getaddrinfo(name, 80))
    except OSError as e: print("no name")`),
        ),
      );
      expect(out).toBe("['lo']\nENETUNREACH\nENETUNREACH\nENETUNREACH\nno name\nno name\n");
    });

    test("S20 nothing of the host: no variable, no home, no socket, no file of ours", async () => {
      process.env["GAGAR_TEST_SECRET"] = "sk-do-not-show";
      const fresh = await sandbox.open({ limits: SMALL });
      const { out } = seen(await fresh.run(sh("env | sed 's/=.*//' | sort")));
      await fresh.close();
      delete process.env["GAGAR_TEST_SECRET"];
      const allowed = new Set([
        "HOME",
        "HOSTNAME",
        "LANG",
        "PATH",
        "PWD",
        ...(podman ? ["TERM", "container"] : []),
      ]);
      expect(
        out
          .trim()
          .split("\n")
          .filter((key) => !allowed.has(key)),
      ).toEqual([]);
      const paths = [process.cwd(), process.env["HOME"] ?? "", "/var/run/docker.sock", "/run/docker.sock"];
      const look = `for path in "$@"; do [ -n "$path" ] && ls -A "$path" 2>/dev/null | grep . ; done; cat /etc/shadow 2>/dev/null; exit 0`;
      expect(seen(await box.run({ argv: ["/bin/sh", "-c", look, "look", ...paths] })).out).toBe("");
    });

    test.each<[string, Command, RunResult["outcome"]]>([
      [
        "a fork bomb",
        python("import os\nwhile True:\n  try: os.fork()\n  except OSError: pass", { wall_ms: 1500 }),
        "timed_out",
      ],
      ["a memory bomb", python("x = b'x' * (1 << 30)"), "out_of_memory"],
      [
        "a memory bomb in a child that is forgiven",
        sh("python3 -c \"x = b'x' * (1 << 30)\"; exit 0"),
        "out_of_memory",
      ],
      ["endless output", { argv: ["yes"] }, "output_limit"],
      ["endless errors", sh("yes >&2"), "output_limit"],
      ["a busy loop", sh("while :; do :; done", { wall_ms: 700 }), "timed_out"],
      [
        "SIGTERM ignored",
        python(
          "import signal, time\nfor s in range(1, 32):\n  try: signal.signal(s, signal.SIG_IGN)\n  except OSError: pass\nwhile True: time.sleep(1)",
          { wall_ms: 700 },
        ),
        "timed_out",
      ],
      ["closed streams and no end", sh("exec >&- 2>&-; sleep 100", { wall_ms: 700 }), "timed_out"],
    ])(
      "S12, S13 %s ends in its own outcome, in time, and the next command works",
      async (_what, command, outcome) => {
        const memory = process.memoryUsage().rss;
        const started = performance.now();
        const result = await box.run(command);
        expect(result).toMatchObject({ outcome });
        expect(performance.now() - started).toBeLessThan((command.wall_ms ?? 20_000) + 5000);
        expect(result.truncated).toBe(outcome === "output_limit");
        if (outcome === "output_limit") expect(result.stdout.length + result.stderr.length).toBe(8 * MIB);
        expect(process.memoryUsage().rss - memory).toBeLessThan(128 * MIB);
        await works();
      },
    );

    test.each<[string, Command, RegExp]>([
      [
        "a full disk",
        sh(
          "dd if=/dev/zero of=fill bs=1M; dd if=/dev/zero of=fill2 bs=1M; dd if=/dev/zero of=fill3 bs=1M; exit 9",
        ),
        /No space left/,
      ],
      [
        "a full temporary folder",
        sh("cat /dev/zero >/tmp/fill; cat /dev/zero >/tmp/fill2; exit 9"),
        /No space left/,
      ],
      [
        "a file that is too large",
        sh("dd if=/dev/zero of=fill bs=1M count=20; exit 9"),
        /File (too large|size limit)/,
      ],
      [
        "too many files",
        python(
          "import sys\nn = 0\ntry:\n  while n < 5000: open(f'f{n}', 'w').close(); n += 1\nexcept OSError as e: print(n, e, file=sys.stderr)\nsys.exit(9 if n <= 2000 else 0)",
        ),
        /No space left/,
      ],
      [
        "too many open files",
        python(
          "import sys\nfiles = []\ntry:\n  while len(files) < 5000: files.append(open('/dev/null'))\nexcept OSError as e: print(e, file=sys.stderr)\nsys.exit(9 if len(files) <= 256 else 0)",
        ),
        /Too many open files/,
      ],
      [
        "too many processes",
        python(
          "import os, sys, time\nn = 0\ntry:\n  while n < 500:\n    if os.fork() == 0: time.sleep(20); os._exit(0)\n    n += 1\nexcept OSError as e: print(e, file=sys.stderr)\nsys.exit(9 if n <= 64 else 0)",
        ),
        /Resource temporarily unavailable/,
      ],
    ])("S12 %s is the program's failure", async (_what, command, message) => {
      await box.lay({});
      const result = seen(await box.run(command));
      expect(result).toMatchObject({ outcome: "exited", exit_code: 9, err: expect.stringMatching(message) });
      await box.lay({});
      await works();
    });

    test("S13 a process left behind neither holds up its command nor lives on, whether it holds the streams or not", async () => {
      for (const streams of ["", "</dev/null >/dev/null 2>&1"]) {
        const started = performance.now();
        expect(seen(await box.run(sh(`(setsid sleep 60 ${streams} &); echo done`)))).toEqual(
          exited("done\n"),
        );
        expect(performance.now() - started).toBeLessThan(4000);
        expect(seen(await box.run(sh("cat /proc/[0-9]*/comm | grep -c sleep")))).toEqual(exited("0\n", 1));
      }
    });

    test("after a box was made anew, what was put and laid is there again, and nothing else", async () => {
      await box.put("kept", () => [file("x", "kept")]);
      await box.lay({ files: () => [file("y", "laid")] });
      expect(await box.run(sh("echo z >z; sleep 60", { wall_ms: 500 }))).toMatchObject({
        outcome: "timed_out",
      });
      expect(seen(await box.run(sh("cat /input/kept/x y; ls")))).toEqual(exited("keptlaidy\n"));
    });

    test("a command is ended by its signal, and the next one works", async () => {
      const abort = new AbortController();
      const running = box.run(sh("sleep 60", { signal: abort.signal }));
      setTimeout(() => abort.abort(new Error("enough")), 300);
      await expect(running).rejects.toThrow("enough");
      await works();
    });

    test("files that do not fit are the sandbox's failure with a reason, and one's own error stays one's own", async () => {
      const other = await sandbox.open({ limits: SMALL });
      await other.put("big", () => [
        file("x", Buffer.alloc(14 * MIB)),
        file("y", Buffer.alloc(14 * MIB)),
        file("z", Buffer.alloc(14 * MIB)),
      ]);
      expect(await other.run(sh("true"))).toMatchObject({
        outcome: "sandbox_failed",
        reason: expect.stringContaining("/input/big: tar"),
      });
      await other.put("big", () => [file("x", "small")]);
      expect(seen(await other.run(sh("cat /input/big/x")))).toEqual(exited("small"));
      const broken = other.put("broken", () => {
        throw new Error("no such tree");
      });
      await expect(broken).rejects.toThrow("no such tree");
      await other.put("broken", () => []);
      expect(seen(await other.run(sh("ls /input")))).toEqual(exited("big\nbroken\n"));
      await other.close();
      expect(await other.run(sh("true"))).toMatchObject({
        outcome: "sandbox_failed",
        reason: "the box is closed",
      });
    });

    test("boxes run side by side and do not see each other", async () => {
      const boxes = await Promise.all([1, 2, 3, 4].map(() => sandbox.open({ limits: SMALL })));
      const results = await Promise.all(
        boxes.map((each, index) =>
          each.run(sh(`echo ${index} >x; sleep 0.5; cat x; cat /proc/[0-9]*/comm | grep -c sleep`)),
        ),
      );
      expect(results.map((result) => seen(result).out)).toEqual(["0\n0\n", "1\n0\n", "2\n0\n", "3\n0\n"]);
      await Promise.all(boxes.map((each) => each.close()));
    });

    test("an image that is not there makes the box unavailable, with the reason", async () => {
      const other = await sandbox.open({ image: "gagar-no-such-image:1" });
      expect(await other.run(sh("true"))).toMatchObject({
        outcome: "unavailable",
        reason: expect.stringContaining("gagar-no-such-image:1"),
      });
      expect(await other.read("x", 1)).toMatchObject({ outcome: "unavailable" });
      await other.close();
    });

    test("nothing is left when a sandbox is closed in the middle of its work", async () => {
      const other = make();
      const busy = await Promise.all([1, 2].map(() => other.open({ limits: SMALL })));
      const before = await leftovers();
      const running = busy.map((each) => each.run(sh("(setsid sleep 60 &); sleep 60")));
      await delay(500);
      expect((await leftovers()).length).toBeGreaterThanOrEqual(before.length);
      await other.close();
      expect((await Promise.all(running)).map(({ outcome }) => outcome)).toEqual([
        "sandbox_failed",
        "sandbox_failed",
      ]);
      await sandbox.close();
      expect(await leftovers()).toEqual([]);
    });
  });
}
