import { describe, expect, it } from "vitest";
import { explainToken, UnknownTokenError } from "../src/index.js";
import { brand, tokens } from "./helpers.js";

describe("explainToken", () => {
  it("lists the way to the value", () => {
    expect(explainToken(brand(), "color.line")).toEqual(["color.line", "color.brand", "#336699"]);
    expect(explainToken(brand(), "size.gap")).toEqual(["size.gap", 8]);
  });

  it("ends at a longer value", () => {
    expect(explainToken(tokens({ a: "{b}", b: "1px {c}" }), "a")).toEqual(["a", "b", "1px {c}"]);
  });

  it("names unknown tokens", () => {
    expect(() => explainToken(brand(), "nope")).toThrow(new UnknownTokenError("nope"));
    expect(() => explainToken(tokens({ a: "{b}" }), "a")).toThrow(new UnknownTokenError("b", "a"));
  });
});
