import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Box, FileEntry, Sandbox } from "../../src/sandbox/types.ts";

const file = (path: string, content: string): FileEntry => ({
  path,
  kind: "file",
  executable: true,
  content: Buffer.from(content),
});

/** Ways out of a box, by their ids in docs/attacks.md. What one box does for its own good is in the contract of sandboxes. */
export function escapeContract(name: string, make: () => Sandbox): void {
  describe(`escapes: ${name}`, () => {
    let sandbox: Sandbox;
    let box: Box;
    beforeAll(async () => {
      sandbox = make();
      box = await sandbox.open();
    });
    afterAll(() => sandbox.close());
    const shell = async (script: string, env: Record<string, string> = {}) => {
      const result = await box.run({ argv: ["/bin/sh", "-c", script], env });
      expect(result).toMatchObject({ outcome: "exited" });
      return result.stdout.toString() + result.stderr.toString();
    };

    test("S04 a file that is swapped for a link while it is read is never what the link names", async () => {
      expect(await shell("cat /etc/passwd")).toContain("root:");
      for (let time = 0; time < 20; time += 1) {
        await shell(
          `(setsid sh -c 'while :; do ln -sf /etc/passwd x; rm -f x; echo own >x; done' </dev/null >/dev/null 2>&1 &); sleep 0.02`,
        );
        const read = await box.read("x", 10_000);
        if (read.outcome === "read") expect(read.bytes.toString()).not.toContain("root:");
        else expect(["not_a_file", "missing"]).toContain(read.outcome);
      }
    });

    test("S14 programs of the work folder are never run by the grader, though they come first in the path", async () => {
      const names =
        "sh tar xz unxz unpigz gzip git timeout python3 node cat dd find xargs rm cp chmod kill head wc ls";
      const trap = `#!/bin/sh\necho "$0" >>/tmp/canary\nexit 1\n`;
      await box.lay({ files: () => names.split(" ").map((each) => file(each, trap)) });
      // Positive control: code under test that looks there first falls into it.
      const careless = { PATH: "/work:/usr/bin:/bin" };
      expect(await shell("tar --version; /bin/cat /tmp/canary", careless)).toContain("/work/tar");
      await box.put("more", () => [file("x", "laid")]);
      expect((await box.read("tar", 1000)).outcome).toBe("read");
      expect(await shell("cat /input/more/x; cat /tmp/canary", { PATH: "/usr/bin:/bin" })).toBe(
        "laid/work/tar\n",
      );
      await box.lay({ files: () => [file("x", "clean")] });
      expect(await shell("ls; ls /tmp")).toBe("x\n");
    });

    test("S15 only a regular file under the limit is a result", async () => {
      await box.lay({});
      await shell(
        "ln -s /etc/passwd link; mkfifo pipe; mkdir folder; truncate -s 100G sparse 2>/dev/null || truncate -s 400M sparse; echo one >file; ln file second; ln -s . around; mkdir -p up",
      );
      const outcomes: Record<string, string> = {};
      for (const path of ["link", "pipe", "folder", "sparse", "/dev/zero", "around", "up/..", "second"])
        outcomes[path] = (await box.read(path, 1000)).outcome;
      expect(outcomes).toEqual({
        link: "not_a_file",
        pipe: "not_a_file",
        folder: "directory",
        sparse: "too_large",
        "/dev/zero": "not_a_file",
        around: "not_a_file",
        "up/..": "directory",
        second: "read",
      });
    });

    test("S16 no way to the grader's own ports, nor to any address of its host", async () => {
      let calls = 0;
      const server = createServer((_request, response) => {
        calls += 1;
        response.end("here");
      });
      await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve));
      const { port } = server.address() as AddressInfo;
      // Positive control: from outside of a box it answers.
      expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe("here");
      const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
      const addresses = [
        "127.0.0.1",
        ...own.filter(({ family }) => family === "IPv4").map(({ address }) => address),
      ];
      const said = await shell(
        `python3 - ${addresses.join(" ")} <<'END'
import socket, sys
for address in sys.argv[1:]:
    with socket.socket() as s:
        s.settimeout(2)
        print(s.connect_ex((address, ${port})) != 0)
END`,
      );
      expect(said).toBe("True\n".repeat(addresses.length));
      expect(calls).toBe(1);
      await new Promise((resolve) => server.close(resolve));
    });

    test("S20 a key of the grader's environment is not in a box", async () => {
      const key = `sk-${randomUUID()}`;
      process.env["OPENAI_API_KEY"] = key;
      try {
        const fresh = await sandbox.open();
        const { stdout } = await fresh.run({
          argv: ["/bin/sh", "-c", "env; cat /proc/*/environ 2>/dev/null"],
        });
        expect(stdout.toString()).toContain("HOME=");
        expect(stdout.toString()).not.toContain(key);
        await fresh.close();
      } finally {
        delete process.env["OPENAI_API_KEY"];
      }
    });
  });
}
