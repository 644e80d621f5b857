/** Where a bracketed text of code is cut. Texts have no comments; what is inside strings is blank in `bare`. */
export interface Piece {
  code: string;
  bare: string;
}

/** Parts between top-level separators of one character, trimmed. */
export function splitTop({ code, bare }: Piece, separator: string): Piece[] {
  const parts: Piece[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= bare.length; at += 1) {
    const char = bare[at];
    if (char !== undefined && "([{".includes(char)) depth += 1;
    else if (char !== undefined && ")]}".includes(char)) depth -= 1;
    else if (char === undefined || (char === separator && depth === 0)) {
      const part = trimmed({ code: code.slice(start, at), bare: bare.slice(start, at) });
      if (part.code !== "") parts.push(part);
      start = at + 1;
    }
  }
  return parts;
}

function trimmed({ code, bare }: Piece): Piece {
  const start = code.length - code.trimStart().length;
  const end = Math.max(start, code.trimEnd().length);
  return { code: code.slice(start, end), bare: bare.slice(start, end) };
}

/** The text between the bracket at `open` and its partner; the rest when it has none. */
export function inside({ code, bare }: Piece, open: number): Piece & { end: number } {
  let depth = 0;
  for (let at = open; at < bare.length; at += 1) {
    if ("([{".includes(bare[at] ?? "")) depth += 1;
    else if (")]}".includes(bare[at] ?? "")) {
      depth -= 1;
      if (depth === 0) return { code: code.slice(open + 1, at), bare: bare.slice(open + 1, at), end: at + 1 };
    }
  }
  return { code: code.slice(open + 1), bare: bare.slice(open + 1), end: bare.length };
}

const COMPARATOR = /(?<![=!<>+\-*/%&|^~:])(===|!==|==|!=|>=|<=|<|>)(?![=<>])|\b(not\s+in|is\s+not|in|is)\b/g;

/** `a == b` cut at its first top-level comparison, or undefined when there is none. */
export function comparison(piece: Piece): { operator: string; left: string; right: string } | undefined {
  const depths = depthsOf(piece.bare);
  for (const match of piece.bare.matchAll(COMPARATOR)) {
    if (depths[match.index] !== 0) continue;
    const left = piece.code.slice(0, match.index).trim();
    const right = piece.code.slice(match.index + match[0].length).trim();
    // `x for x in y` and keyword arguments are no comparison.
    if (left === "" || right === "" || /\bfor\s+[\w, ()]+$/.test(left)) continue;
    return { operator: match[0].replace(/\s+/g, " "), left, right };
  }
  return undefined;
}

function depthsOf(bare: string): number[] {
  let depth = 0;
  return Array.from({ length: bare.length }, (_, at) => {
    const char = bare[at] ?? "";
    if ("([{".includes(char)) depth += 1;
    else if (")]}".includes(char)) depth -= 1;
    return depth;
  });
}

const STRING_OR_LAYOUT =
  /("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)|\\?\s*([^\w\s"'`\\]+)\\?\s*|\\?\s+/gs;

/** Code on one line with equal spelling for equal content: no layout, no trailing comma, one kind of quote. */
export function squeezed(code: string): string {
  return code
    .trim()
    .replace(STRING_OR_LAYOUT, (_, text?: string, operator?: string) => {
      if (text === undefined) return operator ?? " ";
      return text.startsWith("'") && !text.includes('"') ? `"${text.slice(1, -1)}"` : text;
    })
    .replace(/,([)\]}])/g, "$1")
    .replace(/;+$/, "");
}
