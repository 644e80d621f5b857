import * as fc from "fast-check";

/** What happens to files: they are cut, parts are lost, overwritten, doubled, filled with NUL, or single characters change. */
export interface Damage {
  at: number;
  length: number;
  put: string;
}

export const damageOf = (text: string): fc.Arbitrary<Damage> =>
  fc
    .record({
      at: fc.nat({ max: text.length - 1 }),
      length: fc.oneof(fc.constant(0), fc.constant(1), fc.nat({ max: 400 }), fc.constant(text.length)),
      put: fc.oneof(
        fc.constant(""),
        fc.string({ unit: "binary", maxLength: 4 }),
        fc.constantFrom(
          "\0".repeat(64),
          '"',
          "{",
          "}",
          "[",
          "]",
          ",",
          "\n",
          "\\",
          "\ud800",
          "1e999",
          '{"type":',
        ),
        fc
          .tuple(fc.nat({ max: text.length - 1 }), fc.nat({ max: 300 }))
          .map(([from, size]) => text.slice(from, from + size)),
      ),
    })
    .filter(({ at, length, put }) => text.slice(at, at + length) !== put);

export const damaged = (text: string, { at, length, put }: Damage): string =>
  text.slice(0, at) + put + text.slice(at + length);
