import * as fc from "fast-check";
import { expect, test } from "vitest";
import { frameParser } from "../../src/sandbox/docker-frames.ts";

test("the streams come out as they went in, wherever the connection cuts", () => {
  const frame = fc.record({ stderr: fc.boolean(), bytes: fc.uint8Array({ maxLength: 300 }) });
  fc.assert(
    fc.property(
      fc.array(frame),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
      (frames, cuts) => {
        const sent = Buffer.concat(
          frames.flatMap(({ stderr, bytes }) => {
            const head = Buffer.alloc(8);
            head[0] = stderr ? 2 : 1;
            head.writeUInt32BE(bytes.length, 4);
            return [head, bytes];
          }),
        );
        const got = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
        const parse = frameParser((stream, bytes) => got[stream].push(Buffer.from(bytes)));
        for (let at = 0, cut = 0; at < sent.length; cut += 1) {
          const size = cuts[cut % cuts.length] ?? 1;
          parse(sent.subarray(at, at + size));
          at += size;
        }
        const expected = (stderr: boolean) =>
          Buffer.concat(frames.filter((each) => each.stderr === stderr).map(({ bytes }) => bytes)).toString(
            "hex",
          );
        expect(Buffer.concat(got.stdout).toString("hex")).toBe(expected(false));
        expect(Buffer.concat(got.stderr).toString("hex")).toBe(expected(true));
      },
    ),
  );
});
