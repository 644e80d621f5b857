import * as fc from "fast-check";
import { expect, test } from "vitest";
import { findQuote } from "../../src/evidence/quote.ts";
import { unescapeVisible, visible } from "../../src/visible.ts";

const text =
  "def f(x):\n    return None\n\ndef g(x):\r\n    return None\r\n    total = x + compute_total(x)\nend";

test.each([
  ["return None", [2, 5]],
  ["    return None", [2, 5]],
  ["turn None", []],
  ["total = x + compute_total(x)", [6]],
  ["x + compute_total", [6]],
  ["compute_to", []],
  ["end", [7]],
  ["en", []],
  ["def g(x):\n    return None", [4]],
  ["def g(x):\r\n    return None\r\n", [4]],
  ["not there at all", []],
  ["", []],
  ["\n", []],
])("quote %j stands at lines %j", (quote, lines) => {
  expect(findQuote(text, quote).map((span) => span.first)).toEqual(lines);
});

test("law: every line of a text is found at its own number, alone or with the next one", () => {
  const line = fc.stringMatching(/^[a-z ()=]{0,30}$/);
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), fc.nat(), (lines, pick) => {
      const at = pick % lines.length;
      const quote = lines.slice(at, at + 2).join("\n");
      fc.pre(quote.trim() !== "" && !quote.startsWith("\n") && !quote.endsWith("\n"));
      const spans = findQuote(lines.join("\n"), quote);
      const starts = spans.map((span) => span.first);
      // Overlapping repeats count once, so the own place may be covered by an earlier one.
      expect(spans.some((span) => span.first <= at + 1 && at + 1 <= span.last)).toBe(true);
      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    }),
  );
});

test("hidden characters are escaped for reading, and a quote of the view leads back to the text (J04, J05)", () => {
  const raw = "if\u202e admin\u2066 {\u200b}\u{e0041}\u3164\u0007\ttab é 漢字 👍";
  expect(visible(raw)).toBe("if\\u{202e} admin\\u{2066} {\\u{200b}}\\u{e0041}\\u{3164}\\u{7}\ttab é 漢字 👍");
  expect(unescapeVisible(visible(raw))).toBe(raw);
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (any) => {
      fc.pre(!any.includes("\\u{"));
      expect(unescapeVisible(visible(any))).toBe(any);
    }),
  );
});
