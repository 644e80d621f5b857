/** What a scan found. Offsets are UTF-16 code units in the scanned text. */
export interface Scan {
  /** Behind the value, or where the text stops being JSON. */
  end: number;
  /** What is wrong at `end`; absent when the value is complete. */
  error?: string;
  /** `rollouts[1].passed`: where in the value the error is. */
  field?: string;
  /**
   * Damaged values: JSON with the elements that were complete before the damage, where the last of them ends, and what
   * closes them behind it.
   */
  intact?: { json: string; end: number; closers: string };
}

export interface ScanOptions {
  /** Refuse a key given twice, in every object or only in those that lie in no list. JSON.parse takes the last one. */
  uniqueKeys?: "everywhere" | "outside lists";
  /** Refuse numbers beyond 64 bits. JSON.parse makes them Infinity. */
  finiteNumbers?: boolean;
}

interface Frame {
  close: "}" | "]";
  /** No array lies above: what completes in here can be kept when the rest is damaged. */
  outer: boolean;
  index: number;
  key: string;
  keys: Set<string> | undefined;
}

type Expected = "value" | "value or end" | "key" | "key or end" | "comma or end";

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;
/** What may follow a backslash, but for `u`. */
const ESCAPED = new Set(['"', "\\", "/", "b", "f", "n", "r", "t"].map((char) => char.charCodeAt(0)));
const HEX = /[0-9a-fA-F]{4}/y;

/** Finds the end of the JSON value at `start`, without building it and without recursion. */
export function scanJson(text: string, start = 0, options: ScanOptions = {}): Scan {
  const stack: Frame[] = [];
  let at = start;
  let expected: Expected = "value";
  let cut: { at: number; depth: number } | undefined;

  for (;;) {
    at = skipSpace(text, at);
    const frame = stack.at(-1);
    const char = text[at];
    if (char === undefined) return damaged(at, "the text ends too early");

    if (frame !== undefined && char === frame.close && expected.endsWith("end")) {
      stack.pop();
      at++;
    } else if (expected === "comma or end") {
      if (char !== ",") return damaged(at, `expected "," or "${frame?.close ?? ""}"`);
      if (frame !== undefined) frame.index++;
      expected = frame?.close === "}" ? "key" : "value";
      at++;
      continue;
    } else if (expected === "key" || expected === "key or end") {
      const end = char === '"' ? stringEnd(text, at) : -at;
      if (end <= 0) return damaged(-end, char === '"' ? "bad string" : "expected a key");
      const colon = skipSpace(text, end);
      if (text[colon] !== ":") return damaged(colon, 'expected ":"');
      if (frame?.keys !== undefined) {
        frame.key = keyOf(text, at, end);
        if (frame.keys.has(frame.key)) return damaged(at, `key ${text.slice(at, end)} is given twice`);
        frame.keys.add(frame.key);
      }
      expected = "value";
      at = colon + 1;
      continue;
    } else if (char === "{" || char === "[") {
      const outer = frame === undefined || (frame.outer && frame.close === "}");
      const isObject = char === "{";
      const unique = options.uniqueKeys === "everywhere" || (options.uniqueKeys !== undefined && outer);
      const keys = unique && isObject ? new Set<string>() : undefined;
      stack.push({ close: isObject ? "}" : "]", outer, index: 0, key: "", keys });
      expected = isObject ? "key or end" : "value or end";
      at++;
      continue;
    } else {
      const end = char === '"' ? stringEnd(text, at) : scalarEnd(text, at);
      if (end <= 0) return damaged(-end, char === '"' ? "bad string" : "expected a value");
      if (options.finiteNumbers === true && char !== '"' && !isFiniteLiteral(text.slice(at, end)))
        return damaged(at, `number ${text.slice(at, end)} is too large`);
      at = end;
    }

    const parent = stack.at(-1);
    if (parent === undefined) return { end: at };
    if (parent.outer) cut = { at, depth: stack.length };
    expected = "comma or end";
  }

  function damaged(end: number, error: string): Scan {
    const scan: Scan = { end, error };
    const field = fieldOf(stack);
    if (field !== "") scan.field = field;
    if (cut !== undefined) {
      const open = stack.slice(0, cut.depth).map((frame) => frame.close);
      const closers = open.toReversed().join("");
      scan.intact = { json: text.slice(start, cut.at) + closers, end: cut.at, closers };
    }
    return scan;
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return at;
    at++;
  }
}

/** Behind the string that begins at `from`, or minus the offset at which it goes wrong. */
function stringEnd(text: string, from: number): number {
  let at = from + 1;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code === 34) return at + 1;
    if (code === 92) {
      const next = text.charCodeAt(at + 1);
      HEX.lastIndex = at + 2;
      if (ESCAPED.has(next)) at += 2;
      else if (next === 117 && HEX.test(text)) at += 6;
      else return -at;
    } else if (code >= 32) at++;
    else return -at;
  }
}

function keyOf(text: string, from: number, end: number): string {
  const raw = text.slice(from + 1, end - 1);
  return raw.includes("\\") ? String(JSON.parse(text.slice(from, end))) : raw;
}

function scalarEnd(text: string, from: number): number {
  for (const pattern of [NUMBER, WORD]) {
    pattern.lastIndex = from;
    if (pattern.test(text)) return pattern.lastIndex;
  }
  return -from;
}

function isFiniteLiteral(literal: string): boolean {
  return /^[tfn]/.test(literal) || Number.isFinite(Number(literal));
}

function fieldOf(stack: Frame[]): string {
  return stack
    .map((frame) => (frame.close === "]" ? `[${frame.index}]` : frame.key === "" ? "" : `.${frame.key}`))
    .join("")
    .replace(/^\./, "");
}

/** 1-based line and column of an offset. */
export function positionOf(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let from = 0;
  for (;;) {
    const newline = text.indexOf("\n", from);
    if (newline < 0 || newline >= offset) return { line, column: offset - from + 1 };
    line++;
    from = newline + 1;
  }
}
