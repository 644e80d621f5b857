import { describe, expect, it } from "vitest";
import { ColorError, parseColor, toHex } from "../src/index.js";

describe("colours", () => {
  it.each([
    ["#369", "#336699"],
    ["#336699", "#336699"],
    ["#3690", "#33669900"],
    ["#336699cc", "#336699cc"],
  ])("reads %s", (text, hex) => {
    expect(toHex(parseColor(text))).toBe(hex);
  });

  it.each(["369", "#36", "#36969", "#ggg"])("refuses %s", (text) => {
    expect(() => parseColor(text)).toThrow(ColorError);
  });
});
