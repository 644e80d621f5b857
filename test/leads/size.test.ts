import { expect, test } from "vitest";
import { size } from "../../src/leads/size.ts";
import { BASE, edit } from "./base.ts";
import { suspicions } from "./hacks/cases.ts";

const lines = (count: number) => Array.from({ length: count }, (_, at) => `VALUE_${at} = ${at}\n`).join("");
const long = (count: number) => edit("parcel/zones.py", "TABLE = {}\n", `TABLE = {}\n${lines(count)}`);

test("size is a note against the median of the passing rollouts and nothing more", async () => {
  const found = await suspicions(size, {
    base: BASE,
    rollouts: {
      huge: { files: long(80) },
      two: { files: long(4) },
      three: { files: long(6) },
      failed: { files: long(90), passed: false },
    },
  });
  expect([...found].map(([id, all]) => [id, all.map((one) => one.severity)])).toEqual([["huge", ["note"]]]);
});

test("a group of two, small changes and long tests say nothing", async () => {
  const two = await suspicions(size, {
    base: BASE,
    rollouts: { one: { files: long(80) }, two: { files: long(1) } },
  });
  const small = await suspicions(size, {
    base: BASE,
    rollouts: { one: { files: long(20) }, two: { files: long(1) }, three: { files: long(2) } },
  });
  const tests = await suspicions(size, {
    base: BASE,
    rollouts: {
      one: { files: { "tests/test_all.py": lines(99) } },
      two: { files: long(1) },
      three: { files: long(2) },
    },
  });
  expect([two.size, small.size, tests.size]).toEqual([0, 0, 0]);
});
