import { isScript, type Language } from "../../syntax/language.ts";
import type { MaskedLines } from "../masked-lines.ts";
import { comparison, inside, splitTop, squeezed, type Piece } from "./statement.ts";

/** One assertion of a test file. Lines are 0-based. */
export interface Assertion {
  /** On one line, as `squeezed` writes it. */
  text: string;
  line: number;
  endLine: number;
  /** Name of the test it stands in, "" outside of any. */
  test: string;
  /** How it compares: `==`, `in`, `assertAlmostEqual`, `toBeDefined`, `raises`, ... */
  matcher: string;
  /** What is compared, without the message; two for a comparison. */
  operands: string[];
}

const HEADS: readonly { applies: (language: Language) => boolean; head: RegExp }[] = [
  {
    applies: (language) => language === "python",
    head: /^(?:assert\b|self\.(?:assert\w*|fail\w*)\s*\(|(?:with\s+|async\s+with\s+)?(?:self\.assert(?:Raises|Warns|Logs)\w*|pytest\.(?:raises|warns|deprecated_call|fail)|raises|warns)\s*\(|(?:\w+\.)*assert_\w+\s*\()/,
  },
  {
    applies: isScript,
    head: /^(?:await\s+|return\s+|void\s+)*(?:assert\b|expect\b|should\b|(?:t|tap|tape|assert|chai)\.(?:ok|not|is|isNot|same|notSame|equals?|notEqual|deepEqual|notDeepEqual|strictEqual|deepStrictEqual|true|false|truthy|falsy|throws\w*|rejects|match|regex|like|fail|error|ifError|snapshot)\b|[\w.]+\.should\.)/,
  },
  { applies: (language) => language === "rust", head: /^(?:debug_)?assert(?:_\w+)?!\s*[([{]|^panic!\(/ },
  {
    applies: (language) => language === "go",
    head: /^(?:assert|require|is|c|qt)\.\w+\(|^(?:t|tb|b|s\.T\(\))\.(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)\(/,
  },
  {
    applies: (language) => /^(java|kotlin|scala|csharp|swift|php|c)$/.test(language),
    head: /^(?:\w+\.|\$this->|self::|await\s+)*(?:assert\w*|expect\w*|verify|fail|should\w*|XCT\w+|Assert\.\w+|(?:ASSERT|EXPECT)_\w+|REQUIRE|CHECK)\s*[(<]|^Assert\.\w+/,
  },
  { applies: (language) => language === "ruby", head: /^(?:assert\w*|refute\w*|expect|must_\w+)\b/ },
];

/** A value that later lines are compared with; its right side is an expectation. */
const EXPECTED =
  /^(?:const\s+|let\s+|var\s+|final\s+)?(?:\w+\s+)?(?:\w*_)?(expected\w*|want\w*|wanted|golden\w*)\s*(?::[^=]+)?(?::=|=)(?![=>])/i;

/** Longest assertion, in lines. */
const MAX_HEIGHT = 60;

/** The assertions of a test file in order. `testAt` gives the test that a line stands in. */
export function assertionsOf(
  lines: MaskedLines,
  language: Language,
  testAt: (index: number) => string,
): Assertion[] {
  const head = HEADS.find((one) => one.applies(language))?.head;
  if (head === undefined) return [];
  const found: Assertion[] = [];
  for (let index = 0; index < lines.bare.length; index += 1) {
    const bare = (lines.bare[index] ?? "").trim();
    const expected = EXPECTED.exec(bare)?.[1];
    if (expected === undefined && !head.test(bare)) continue;
    const endLine = statementEnd(lines, index, language);
    const piece = joined(lines, index, endLine);
    const parsed =
      expected === undefined
        ? parse(conditioned(lines, index, piece, language), language)
        : { matcher: "==", operands: [expected, squeezed(piece.code.replace(/^[^=]*=/, ""))] };
    found.push({ text: squeezed(piece.code), line: index, endLine, test: testAt(index), ...parsed });
    index = endLine;
  }
  return found;
}

/** In Go a failure is reported inside the comparison: the condition in front of it is what is asserted. */
function conditioned(lines: MaskedLines, index: number, piece: Piece, language: Language): Piece {
  if (language !== "go" || !/^(t|tb|b)\./.test(piece.bare)) return piece;
  const before = lines.bare
    .slice(Math.max(0, index - 2), index)
    .findLastIndex((line) => /^\s*(\}\s*else\s+)?if\b/.test(line));
  const at = before === -1 ? -1 : Math.max(0, index - 2) + before;
  return at === -1 ? piece : joined(lines, at, at);
}

function statementEnd(lines: MaskedLines, index: number, language: Language): number {
  let depth = 0;
  for (let at = index; at < Math.min(lines.bare.length, index + MAX_HEIGHT); at += 1) {
    const line = lines.bare[at] ?? "";
    for (const char of line) {
      if ("([{".includes(char)) depth += 1;
      else if (")]}".includes(char)) depth -= 1;
    }
    const opensBlock =
      isScript(language) &&
      depth > 0 &&
      /=>\s*\{\s*$/.test(line) &&
      !/^\s*(await\s+)?(assert|expect)/.test(line);
    if (opensBlock) return at;
    const next = lines.bare[at + 1]?.trim() ?? "";
    if (depth <= 0 && !line.trimEnd().endsWith("\\") && !/^(\.|\?\.|==|!=|&&|\|\|)/.test(next)) return at;
  }
  return index;
}

function joined(lines: MaskedLines, from: number, to: number): Piece {
  const cut = (rows: string[]) => rows.slice(from, to + 1).join("\n");
  const code = cut(lines.code);
  const start = code.length - code.trimStart().length;
  return { code: code.slice(start).trimEnd(), bare: cut(lines.bare).slice(start).trimEnd() };
}

type Parsed = Pick<Assertion, "matcher" | "operands">;

function parse(piece: Piece, language: Language): Parsed {
  const { bare } = piece;
  const raises =
    /^(?:async\s+)?(?:with\s+)?((?:self\.|pytest\.)?(?:raises|warns|assertRaises\w*|assertWarns\w*))\s*\(/.exec(
      bare,
    );
  if (raises !== null) return call("raises", inside(piece, raises[0].length - 1));
  const plain = /^(?:assert\s+(?!\()|if\s+|\}\s*else\s+if\s+)/.exec(bare) ?? /^assert\s*(?=\()/.exec(bare);
  if (plain !== null && !(isScript(language) && plain[0].startsWith("assert")))
    return truth(rest(piece, plain[0].length));
  const expectCall = /^(?:await\s+|return\s+)*(?:expect|assertThat)\s*\(/.exec(bare);
  if (expectCall !== null) return chain(piece, expectCall[0].length - 1);
  const named = /([\w.!:$>-]*[\w!])\s*(?:<[^>()]*>)?\(/.exec(bare);
  if (named === null) return { matcher: squeezed(bare), operands: [] };
  const name = (named[1] ?? "").replace(/^.*(\.|->|::)/, "");
  const body = inside(piece, named.index + named[0].length - 1);
  // The condition of assert(x === y), assertTrue(x == y) and the like is what is asserted.
  if (
    /^(assert!?|ok|true|truthy|is_?true|assertTrue|assert_?true|isTrue|assertThat|True|CHECK|REQUIRE|(ASSERT|EXPECT)_TRUE)$/i.test(
      name,
    )
  ) {
    const args = splitTop(body, ",");
    const first = args[0]?.code.trim() === "t" && language === "go" ? args[1] : args[0];
    if (first !== undefined) return truth(first);
  }
  return call(name, body, language);
}

function rest({ code, bare }: Piece, from: number): Piece {
  return { code: code.slice(from).replace(/[{:]\s*$/, ""), bare: bare.slice(from).replace(/[{:]\s*$/, "") };
}

/** A bare condition: a comparison, or the truth of a value. The message after a comma is left out. */
function truth(piece: Piece): Parsed {
  const parts = splitTop(piece, ",");
  const condition = parts[0] ?? piece;
  const found = comparison(condition);
  if (found === undefined) return { matcher: "truthy", operands: [squeezed(condition.code)] };
  return { matcher: found.operator, operands: [squeezed(found.left), squeezed(found.right)] };
}

function call(matcher: string, body: Piece, language?: Language): Parsed {
  const operands = splitTop(body, ",").map((part) => squeezed(part.code));
  if (language === "go" && /^(t|tb|c|b)$/.test(operands[0] ?? "")) operands.shift();
  return { matcher, operands };
}

/** `expect(a).not.toBe(b)`: the chain names the matcher, its last call holds the other operand. */
function chain(piece: Piece, open: number): Parsed {
  const subject = inside(piece, open);
  const tail: Piece = { code: piece.code.slice(subject.end), bare: piece.bare.slice(subject.end) };
  const last = /\.\s*(\w+)\s*\((?=[^.]*$|[\s\S]*$)/.exec(tail.bare);
  const matcher = tail.bare.replace(/\([\s\S]*$/, "").replace(/\s|^\./g, "") || "none";
  const args = last === null ? [] : splitTop(inside(tail, last.index + last[0].length - 1), ",");
  return { matcher, operands: [squeezed(subject.code), ...args.map((part) => squeezed(part.code))] };
}
