/** A line of output that tells of one case: `{"case": <input>, ...}`. Whatever else the object holds is what the code did. */
export interface CaseLine extends Line {
  /** The input as JSON; the second line about the same input has another key. */
  key: string;
  /** The input as JSON, to be shown. */
  input: string;
}

/** A whole line of output with its number, from 1 on. Numbers in it are compared as they were written: 1.0 is not 1. */
export interface Line {
  line: number;
  text: string;
}

/** An output's lines of cases, and its other lines. */
export interface Output {
  cases: CaseLine[];
  others: Line[];
}

export function splitCases(lines: readonly Line[]): Output {
  const cases: CaseLine[] = [];
  const others: Line[] = [];
  const seen = new Map<string, number>();
  for (const { line, text } of lines) {
    const input = inputOf(text);
    if (input === undefined) {
      others.push({ line, text });
      continue;
    }
    const times = (seen.get(input) ?? 0) + 1;
    seen.set(input, times);
    cases.push({ key: times === 1 ? input : `${input} #${times}`, input, text, line });
  }
  return { cases, others };
}

function inputOf(line: string): string | undefined {
  if (!line.startsWith("{") || !line.includes('"case"')) return undefined;
  try {
    const value: unknown = JSON.parse(withoutConstants(line));
    if (typeof value !== "object" || value === null || !("case" in value)) return undefined;
    return JSON.stringify(value.case);
  } catch {
    return undefined;
  }
}

/** Python writes numbers that JSON does not have; only the text of the line is compared, so any value will do here. */
function withoutConstants(line: string): string {
  return line.replaceAll(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );
}
