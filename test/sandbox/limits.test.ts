import { assert, integer, option, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { GraderError } from "../../src/errors.ts";
import { boxLimits, LIMIT_NAMES, parseLimits } from "../../src/sandbox/limits.ts";
import { DEFAULT_LIMITS } from "../../src/sandbox/types.ts";

const MIB = 1024 * 1024;

describe("limits from text", () => {
  test.each<[string, ReturnType<typeof parseLimits>]>([
    ["cpus=0.5", { cpus: 0.5 }],
    ["pids=10,open-files=20", { pids: 10, open_files: 20 }],
    ["output=1000", { output_bytes: 1000 }],
    ["file-size=1.5K", { file_bytes: 1536 }],
    ["memory=4g,files=7,input-files=8", { memory_bytes: 4096 * MIB, work_files: 7, input_files: 8 }],
    ["work=1G, temp=512m, input=1", { work_bytes: 1024 * MIB, temp_bytes: 512 * MIB, input_bytes: 1 }],
  ])("%s", (text, expected) => {
    expect(parseLimits(text)).toMatchObject(expected);
  });

  test.each<[string, RegExp]>([
    ["", /no limit; give <name>=<value> with memory, cpus/],
    ["memory", /"memory" is no limit/],
    ["constructor=1", /no limit/],
    ["memory=lots", /memory is a size such as 512m or 4g, and not lots/],
    ["memory=4t", /is a size/],
    ["cpus=2g", /cpus is a number, and not 2g/],
    ["pids=1.5", /pids is 1.5/],
    ["pids=0", /above 0/],
    ["memory=1m", /less memory than 64 MiB/],
    ["memory=1g,work=2g", /folders of 2048 MiB lie in memory, and there is 1024 MiB/],
  ])("%j is refused", (text, message) => {
    expect(() => parseLimits(text)).toThrow(message);
  });
});

test("every limit but the time has a name, and the defaults are what nothing gives", () => {
  expect(LIMIT_NAMES.length).toBe(Object.keys(DEFAULT_LIMITS).length - 1);
  expect({ ...DEFAULT_LIMITS, ...boxLimits({}) }).toEqual(DEFAULT_LIMITS);
  expect({ ...DEFAULT_LIMITS, ...boxLimits(DEFAULT_LIMITS) }).toEqual(DEFAULT_LIMITS);
});

test("whatever is given stands, and full folders never use up the memory", () => {
  const size = option(integer({ min: 1, max: 16 * 1024 }), { nil: undefined });
  assert(
    property(size, size, size, size, (memory, work, temp, input) => {
      const given = Object.fromEntries(
        Object.entries({
          memory_bytes: memory,
          work_bytes: work,
          temp_bytes: temp,
          input_bytes: input,
        }).flatMap(([key, mib]) => (mib === undefined ? [] : [[key, mib * MIB]])),
      );
      let made;
      try {
        made = { ...DEFAULT_LIMITS, ...boxLimits(given) };
      } catch (error) {
        expect(error).toBeInstanceOf(GraderError);
        return;
      }
      expect(made).toMatchObject(given);
      expect(made.work_bytes + made.temp_bytes + made.input_bytes).toBeLessThan(made.memory_bytes);
    }),
  );
});
