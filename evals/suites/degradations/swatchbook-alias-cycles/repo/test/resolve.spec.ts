import { describe, expect, it } from "vitest";
import { resolveTokens, UnknownTokenError } from "../src/index.js";
import { brand, tokens } from "./helpers.js";

describe("resolveTokens", () => {
  it("replaces aliases, whole and embedded", () => {
    expect(Object.fromEntries(resolveTokens(brand()))).toEqual({
      "color.line": "#336699",
      "color.brand": "#336699",
      "size.gap": 8,
      "size.gutter": 8,
      "button.border": "1px solid #336699",
      "button.shadow": "0 8px #336699",
    });
  });

  it("keeps the order of the document", () => {
    expect([...resolveTokens(tokens({ a: "{b}", b: "{c}", c: 1 })).keys()]).toEqual(["a", "b", "c"]);
  });

  it("names an unknown token and the one that asks for it", () => {
    const tree = { button: tokens({ fill: "{color.nope}" }) };
    expect(() => resolveTokens(tree)).toThrow(new UnknownTokenError("color.nope", "button.fill"));
  });

  it("refuses a token that leads to itself", () => {
    expect(() => resolveTokens(tokens({ a: "{b}", b: "{a}" }))).toThrow(RangeError);
  });
});
