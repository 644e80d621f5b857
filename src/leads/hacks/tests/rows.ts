import type { DiffLine } from "../../../workspace/types.ts";
import type { Assertion } from "./assertions.ts";
import type { Edit } from "./edits.ts";
import type { TestFile } from "./test-file.ts";

const LITERAL =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|\b\d[\d_.]*\b|\b(?:true|false|True|False|None|null|nil|undefined)\b/g;
/** A field that holds what a case expects. */
const EXPECTS = /\b(want\w*|expect\w*|exp|out(put)?|result|golden|should\w*)["']?\s*[:=]\s*$/i;
/** Longest line that is taken for a row of a table, in characters. */
const MAX_ROW = 2000;

/** A file of test data by whose name it holds what is expected. */
const EXPECTED_FILE = /expect|golden|snap|want|baseline|approved|output|\.out$|result|reference/i;

/**
 * Data that existing tests run over: rows of tables in code, such as parametrized cases and Go's slices of structs, and
 * lines of fixtures. A removed line and the added line in its place are one changed row when they differ in literals
 * alone; a fixture has nothing but data.
 */
export function rowEdits(
  path: string,
  before: TestFile,
  after: TestFile,
  changed: readonly DiffLine[],
): Edit[] {
  const says =
    before.language === undefined
      ? "changes data of existing tests"
      : "changes a case that an existing test runs over";
  return pairs(changed).flatMap(({ removed, added }) => {
    const kind =
      before.language === undefined
        ? fixtureKind(path, removed, added)
        : caseKind(before, after, removed, added);
    if (kind === undefined) return [];
    const test = before.tests.findLast((one) => one.line + 1 <= (removed.old ?? 0))?.name ?? "";
    return [{ kind, test, says, row: removed.text.trim(), lines: [added, removed] }];
  });
}

type RowKind = "expectation" | "data" | undefined;

function fixtureKind(path: string, removed: DiffLine, added: DiffLine): RowKind {
  const plain = (text: string) => text.trim().replace(/,$/, "");
  if (plain(removed.text) === plain(added.text) || removed.text.trim() === "") return undefined;
  return EXPECTED_FILE.test(path) ? "expectation" : "data";
}

function caseKind(before: TestFile, after: TestFile, removed: DiffLine, added: DiffLine): RowKind {
  if (isAsserted(removed.old, before.assertions) || isAsserted(added.new, after.assertions)) return undefined;
  const was = row(removed.text, before.lines.code[(removed.old ?? 0) - 1]);
  const now = row(added.text, after.lines.code[(added.new ?? 0) - 1]);
  if (was === undefined || now === undefined || was.shape !== now.shape) return undefined;
  const different = was.literals.flatMap((literal, index) =>
    literal === now.literals[index] ? [] : [index],
  );
  const [first] = different;
  if (first === undefined) return undefined;
  const isLast = was.literals.length > 1 && first === was.literals.length - 1;
  return different.length === 1 && (isLast || EXPECTS.test(was.lead[first] ?? "")) ? "expectation" : "data";
}

/** Removed and added lines of one place, side by side, where their numbers agree. */
function pairs(changed: readonly DiffLine[]): { removed: DiffLine; added: DiffLine }[] {
  const found: { removed: DiffLine; added: DiffLine }[] = [];
  let at = 0;
  while (at < changed.length) {
    const removed = run(changed, at, "removed");
    const added = run(changed, at + removed.length, "added");
    if (removed.length === added.length)
      removed.forEach((line, index) => {
        const other = added[index];
        if (other !== undefined) found.push({ removed: line, added: other });
      });
    at += Math.max(1, removed.length + added.length);
  }
  return found;
}

function run(changed: readonly DiffLine[], from: number, kind: DiffLine["kind"]): DiffLine[] {
  let end = from;
  while (changed[end]?.kind === kind) end += 1;
  return changed.slice(from, end);
}

function isAsserted(line: number | undefined, assertions: readonly Assertion[]): boolean {
  return line !== undefined && assertions.some((one) => one.line <= line - 1 && line - 1 <= one.endLine);
}

/** A line with its literals taken out; undefined for one that is no row of data. */
function row(
  text: string,
  code: string | undefined,
): { shape: string; literals: string[]; lead: string[] } | undefined {
  const plain = code ?? text;
  if (
    plain.length > MAX_ROW ||
    !/^\s*[[({"'`\d-]|[,})\]]\s*$/.test(plain) ||
    /^\s*(import|from|export|package|use)\b/.test(plain)
  )
    return undefined;
  const literals: string[] = [];
  const lead: string[] = [];
  const shape = plain.trim().replace(LITERAL, (literal, ...rest: unknown[]) => {
    const offset = rest.find((value) => typeof value === "number") ?? 0;
    literals.push(literal);
    lead.push(plain.trim().slice(Math.max(0, offset - 40), offset));
    return "#";
  });
  return literals.length === 0 ? undefined : { shape, literals, lead };
}
