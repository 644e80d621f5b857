import { describe, expect, it } from "vitest";
import { flatten } from "../src/index.js";
import { brand } from "./helpers.js";

describe("flatten", () => {
  it("keeps values and the order of the document", () => {
    expect([...flatten(brand())].slice(0, 3)).toEqual([
      ["color.line", "{color.brand}"],
      ["color.brand", "#336699"],
      ["size.gap", 8],
    ]);
  });

  it("knows empty groups", () => {
    expect(flatten({ color: {} }).size).toBe(0);
  });
});
