import { describe, expect, it } from "vitest";
import { TokenNameError, toCss } from "../src/index.js";
import { brand, readFixture, tokens } from "./helpers.js";

describe("toCss", () => {
  it("writes custom properties in the order of the document", () => {
    expect(toCss(brand())).toBe(readFixture("brand.css"));
  });

  it("takes a prefix", () => {
    expect(toCss(tokens({ gap: 8 }), { prefix: "acme" })).toBe(":root {\n  --acme-gap: 8;\n}\n");
  });

  it("refuses names that CSS cannot have", () => {
    expect(() => toCss(tokens({ "gap small": 4 }))).toThrow(new TokenNameError("gap small"));
  });
});
