import * as fc from "fast-check";
import { expect, test } from "vitest";
import { languageOf, type Language } from "../../../src/leads/syntax/language.ts";
import { outline } from "../../../src/leads/syntax/outline.ts";
import { isDeclared, qualifiedName, type Definition } from "../../../src/leads/syntax/definition.ts";
import { outlineTokens } from "../../../src/leads/syntax/outline-tokens.ts";
import { lossWithout, parseTree, syntaxSupport } from "../../../src/leads/syntax/parser.ts";
import { BASE } from "../base.ts";

const show = (one: Definition) =>
  `${one.kind} ${qualifiedName(one)}(${one.params.map((param) => param.name + (param.optional ? "?" : "")).join(" ")}) ${one.line}-${one.endLine}${one.exported ? " open" : ""}`;

test("the optional parsers are there in this project's own tests", async () => {
  expect(await syntaxSupport()).toEqual({ script: true, python: true, lost: "" });
});

test("what is lost is said, and a language without a parser has no tree", async () => {
  expect(lossWithout(true, false)).toContain("@ast-grep/lang-python");
  expect(lossWithout(false, false)).toContain("@ast-grep/napi");
  expect(await parseTree("package x\n", "go")).toBeUndefined();
});

test.each<[string, string[]]>([
  [
    "parcel/rates.py",
    [
      "function price(weight country express?) 7-16 open",
      "class RateCard() 19-28 open",
      "function RateCard.__init__(zones) 20-21 open",
      "function RateCard.lookup(country default?) 23-24 open",
      "function RateCard.cheapest(countries) 26-28 open",
    ],
  ],
  [
    "web/src/quote.ts",
    [
      "class Quote() 3-6 open",
      "function quote(grams country options?) 9-14 open",
      "function rate(zone) 16-18",
      "function parseWeight(text) 20-24 open",
    ],
  ],
  [
    "web/src/zones.js",
    [
      "class ZoneMap() 3-13 open",
      "function ZoneMap.constructor(entries) 6-8 open",
      "function ZoneMap.find(code) 10-12 open",
    ],
  ],
  ["go/rates.go", ["function Price(grams zone) 9-15 open", "function Load(lines) 18-28 open"]],
  [
    "java/src/Rates.java",
    [
      "class Rates() 5-20 open",
      "function Rates.Rates(zones) 8-10 open",
      "function Rates.price(grams country) 12-15 open",
      "function Rates.clean(code) 17-19",
    ],
  ],
  ["rust/src/lib.rs", ["function price(grams per_step) 1-4 open"]],
  ["ruby/lib/rates.rb", ["class Rates() 1-6 open", "function Rates.price(grams country) 2-5 open"]],
])("%s", async (path, expected) => {
  const language = languageOf(path);
  expect(language).toBeDefined();
  const found = await outline(BASE[path] ?? "", language ?? "c");
  expect(found.map(show)).toEqual(expected);
  expect(isDeclared(found, "nothing")).toBe(false);
});

test("without a parser the tokens give the same outline", async () => {
  for (const path of ["parcel/rates.py", "parcel/zones.py", "web/src/quote.ts", "web/src/zones.js"]) {
    const language = languageOf(path) ?? "c";
    const text = BASE[path] ?? "";
    expect(outlineTokens(text, language).map(show)).toEqual((await outline(text, language)).map(show));
  }
});

test("what JavaScript keeps in constants, properties and exports", async () => {
  const text = `const half = (n) => n / 2;
module.exports.twice = function (n, { deep } = {}, ...rest) { return n * 2; };
export default function main() {}
const kit = { pad(text) { return text; }, trim: (text) => text };
class A extends B { #secret(x = 1) {} get size() { return 0; } }
`;
  const found = await outline(text, "javascript");
  expect(
    found.map(
      (one) =>
        `${qualifiedName(one)} ${one.params.map((param) => param.name).join(",")} ${one.aliased ? "aliased" : ""}${one.exported ? " open" : ""}${one.inherits ? " inherits" : ""}`,
    ),
  ).toEqual([
    "half n ",
    "twice n,,rest aliased open",
    "main  aliased open",
    "pad text aliased",
    "trim text aliased",
    "A   inherits",
    "A.#secret x  inherits",
    "A.size   inherits",
  ]);
});

test("locals, decorators and bases in Python", async () => {
  const text = `@app.route("/")
def serve(*args, key=None, **rest):
    def inner(self, x: int = 1, /, y=2, *, z): ...
    return inner


class Child(Base):
    @property
    def _hidden(self):
        return 1
`;
  const found = await outline(text, "python");
  expect(
    found.map((one) => `${qualifiedName(one)} ${one.local} ${one.decorated} ${one.inherits} ${one.exported}`),
  ).toEqual([
    "serve false true false true",
    "serve.inner true false false false",
    "Child false false true true",
    "Child._hidden false true true false",
  ]);
  expect(found[0]?.params.map((param) => `${param.name} ${param.rest} ${param.keywordOnly}`)).toEqual([
    "args true false",
    "key false true",
    "rest true true",
  ]);
  expect(
    found[1]?.params.map((param) => `${param.name} ${param.keywordOnly} ${param.default ?? ""}`),
  ).toEqual(["x false 1", "y false 2", "z true "]);
});

test("no text makes an outline fail", async () => {
  const language = fc.constantFrom<Language>(
    "python",
    "typescript",
    "go",
    "java",
    "rust",
    "ruby",
    "c",
    "php",
  );
  const text = fc
    .array(
      fc.constantFrom(
        "def",
        "class",
        "func",
        "fn",
        "f",
        "(",
        ")",
        "{",
        "}",
        ":",
        "\n",
        "    ",
        ",",
        "=",
        "'",
        "<",
        ">",
        "end",
        "=>",
      ),
    )
    .map((parts) => parts.join(" "));
  await fc.assert(
    fc.asyncProperty(text, language, async (source, kind) => {
      for (const one of await outline(source, kind)) expect(one.end).toBeGreaterThanOrEqual(one.start);
      for (const one of outlineTokens(source, kind)) expect(one.endLine).toBeGreaterThanOrEqual(one.line);
    }),
    { numRuns: 200 },
  );
});
