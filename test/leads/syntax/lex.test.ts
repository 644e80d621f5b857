import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Language } from "../../../src/leads/syntax/language.ts";
import { between, byLine, lex } from "../../../src/leads/syntax/lex.ts";
import { bracketDepths, maskedLines } from "../../../src/leads/syntax/mask.ts";

const LANGUAGES: Language[] = [
  "python",
  "javascript",
  "typescript",
  "tsx",
  "go",
  "rust",
  "java",
  "kotlin",
  "csharp",
  "swift",
  "scala",
  "php",
  "c",
  "ruby",
  "shell",
];

/** Text that means something to at least one of them, and some that does not. */
const PIECES = [
  "a",
  "1",
  " ",
  "\n",
  "\t",
  '"',
  "'",
  "`",
  "/",
  "*",
  "#",
  "$",
  "{",
  "}",
  "(",
  ")",
  "[",
  "]",
  "<",
  "=",
  "+",
  "\\",
  ".",
  ";",
  "&",
  "é",
  "😀",
];

const kinds = (text: string, language: Language) =>
  lex(text, language).map((token) => `${token.kind}:${token.text}`);

test.each<[Language, string, string[]]>([
  ["python", "x = f'a#b'  # c", ["name:x", "punct:=", "string:f'a#b'", "comment:# c"]],
  ["python", '"""a\n"b" """\ny', ['string:"""a\n"b" """', "name:y"]],
  ["python", "'open\nx", ["punct:'", "name:open", "name:x"]],
  [
    "javascript",
    "a = /[/']/g.test(b) / c // d",
    [
      "name:a",
      "punct:=",
      "string:/[/']/g",
      "punct:.",
      "name:test",
      "punct:(",
      "name:b",
      "punct:)",
      "punct:/",
      "name:c",
      "comment:// d",
    ],
  ],
  ["javascript", "`a ${`b` + c} d`;", ["string:`a ${`b` + c} d`", "punct:;"]],
  ["javascript", "this.#n >>>= 1", ["name:this", "punct:.", "name:#n", "punct:>>>=", "number:1"]],
  ["typescript", "/* a\n b */ x ?? 0x1F", ["comment:/* a\n b */", "name:x", "punct:??", "number:0x1F"]],
  ["go", "s := `a\\` // b", ["name:s", "punct::=", "string:`a\\`", "comment:// b"]],
  [
    "rust",
    "fn f<'a>(c: char) { r#\"\"x\"# ; '\\n' }",
    [
      "name:fn",
      "name:f",
      "punct:<",
      "punct:'",
      "name:a",
      "punct:>",
      "punct:(",
      "name:c",
      "punct::",
      "name:char",
      "punct:)",
      "punct:{",
      'string:r#""x"#',
      "punct:;",
      "string:'\\n'",
      "punct:}",
    ],
  ],
  [
    "java",
    'String s = """\n "x" """; // y',
    ["name:String", "name:s", "punct:=", 'string:"""\n "x" """', "punct:;", "comment:// y"],
  ],
  [
    "ruby",
    "puts 'a' if x =~ /b#/ # c",
    ["name:puts", "string:'a'", "name:if", "name:x", "punct:=~", "string:/b#/", "comment:# c"],
  ],
  ["shell", "echo $#  # n", ["name:echo", "name:$", "punct:#", "comment:# n"]],
])("%s: %s", (language, text, expected) => {
  expect(kinds(text, language)).toEqual(expected);
});

test("tokens and white space make up any text, in any language", () => {
  const text = fc.string({ unit: fc.constantFrom(...PIECES) });
  fc.assert(
    fc.property(text, fc.constantFrom(...LANGUAGES), (source, language) => {
      const tokens = lex(source, language);
      let at = 0;
      let line = 1;
      for (const token of tokens) {
        const gap = source.slice(at, token.start);
        expect(gap.trim()).toBe("");
        line += gap.split("\n").length - 1;
        expect(token.line).toBe(line);
        expect(source.startsWith(token.text, token.start)).toBe(true);
        line = token.endLine;
        at = token.start + token.text.length;
      }
      expect(source.slice(at).trim()).toBe("");
    }),
  );
});

test("masking keeps lines, columns and code", () => {
  const source = "a = 'x(' # y(\nb = (1,\n  2)\n";
  const masked = maskedLines(source, lex(source, "python"));
  expect(masked).toEqual(["a = '  '     ", "b = (1,", "  2)", ""]);
  expect(bracketDepths(masked, "python")).toEqual([0, 0, 1, 0]);
});

test("tokens by offset and by line", () => {
  const tokens = lex("a b\nc d\n", "python");
  expect(between(tokens, 2, 5).map((token) => token.text)).toEqual(["b", "c"]);
  expect([...byLine(tokens)].map(([line, own]) => [line, own.length])).toEqual([
    [1, 2],
    [2, 2],
  ]);
});
