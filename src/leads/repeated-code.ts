import type { DiffLine } from "../workspace/types.ts";
import { blocksOf, plain } from "./blocks.ts";
import { changedFiles, isProduct, type ChangedFile } from "./change.ts";
import { perRollout, type Suspicion } from "./lead.ts";
import { enclosing } from "./source-file.ts";
import { place, suspect } from "./suspect.ts";
import { isDeclared } from "./syntax/definition.ts";
import { code, lex, type Token } from "./syntax/lex.ts";
import type { Language } from "./syntax/language.ts";
import { insertedInto } from "./syntax/template-match.ts";

/** Call sites from which on a repeated condition should live in the function that is called. */
const SITES = 3;
/** Characters without white space that two neighbouring lines must have to count as a repetition. */
const WEIGHT = 30;

/** A block with more lines was rewritten or moved. */
const MAX_BLOCK = 60;
/** Lines between a repetition and what it repeats. */
const NEAR = 5;

interface Site {
  line: DiffLine;
  extra: string;
  calls: Set<string>;
}

const isJoin = (token: Token) => /^(?:&&|\|\||and|or)$/.test(token.text);

/** Lines that got a condition more, with what was put in. */
function widened(file: ChangedFile, language: Language): Site[] {
  const tokens = (line: DiffLine) => code(lex(line.text, language));
  return blocksOf(file.diff).flatMap((block) => {
    if (block.added.length > MAX_BLOCK || block.removed.length > MAX_BLOCK) return [];
    const olds = block.removed.map(tokens).filter((old) => old.length >= 6);
    return block.added.flatMap((line): Site[] => {
      const now = tokens(line);
      for (const old of olds) {
        const extra = insertedInto(old, now);
        if (extra === undefined || extra.length < 2 || extra.length > 20 || !extra.some(isJoin)) continue;
        const calls = new Set(
          old.flatMap((token, at) =>
            token.kind === "name" && old[at + 1]?.text === "(" ? [token.text] : [],
          ),
        );
        return [{ line, extra: extra.map((token) => token.text).join(" "), calls }];
      }
      return [];
    });
  });
}

/** Sites that got the same condition around a call of the same function of this file. */
async function shotgun(
  file: ChangedFile,
  language: Language,
): Promise<{ lines: DiffLine[]; name: string } | undefined> {
  const sites = widened(file, language);
  const outline = (await file.after?.outline()) ?? [];
  for (const { extra, calls } of sites) {
    for (const name of calls) {
      const same = sites.filter((site) => site.extra === extra && site.calls.has(name));
      if (same.length >= SITES && isDeclared(outline, name))
        return { lines: same.map((site) => site.line), name };
    }
  }
  return undefined;
}

const LEAVES = /^\s*(?:return|throw|raise|continue|break)\b/;

/** Neighbouring added lines that end in leaving the block and stand a few lines away in the same function already. */
async function doubled(file: ChangedFile): Promise<DiffLine[]> {
  const { after } = file;
  if (after === undefined) return [];
  // Comments are blank here, so that two of them are no repetition.
  const masked = after.masked();
  const codeOn = (line: number) =>
    (masked[line - 1] ?? "").trim() === "" ? "" : plain(after.lines()[line - 1] ?? "");
  const outline = await after.outline();
  for (const [at, first] of file.fresh.entries()) {
    const second = file.fresh[at + 1];
    if (first.new === undefined || second?.new !== first.new + 1) continue;
    const pair = [codeOn(first.new), codeOn(first.new + 1)];
    if (
      !LEAVES.test(masked[first.new] ?? "") ||
      pair.join("").length < WEIGHT ||
      pair.some((text) => text.length < 8)
    )
      continue;
    const owner = enclosing(outline, first.new);
    if (owner?.kind !== "function") continue;
    const from = Math.max(owner.line, first.new - NEAR);
    const to = Math.min(owner.endLine, first.new + NEAR);
    for (let other = from; other < to; other += 1) {
      if (Math.abs(other - first.new) < 2) continue;
      if (codeOn(other) === pair[0] && codeOn(other + 1) === pair[1]) return [first, second];
    }
  }
  return [];
}

/** The same thing written several times where once would do. */
export const repeatedCode = perRollout(
  "repeated-code",
  "One condition added at three or more calls of the same function of the file, and the same way out of a function written again a few lines on.",
  async (rollout, workspace) => {
    const found: Suspicion[] = [];
    const report = (claim: string, file: ChangedFile, lines: readonly DiffLine[]) => {
      const lead = suspect(
        { rollout: rollout.label, criterion: "implementation_precision", severity: "minor", claim },
        file.path,
        lines,
      );
      if (lead !== undefined) found.push(lead);
    };
    for (const file of await changedFiles(workspace, rollout)) {
      const language = file.after?.language;
      if (!isProduct(file) || language === undefined) continue;
      const spread = await shotgun(file, language);
      if (spread !== undefined)
        report(
          `Repeats one condition at ${spread.lines.length} calls of ${spread.name} (${place(file.path, spread.lines)}); ${spread.name} is defined in this file and could check it once.`,
          file,
          spread.lines,
        );
      const twice = await doubled(file);
      if (twice.length > 0)
        report(
          `Repeats lines that stand a few lines on in the same function (${place(file.path, twice)}).`,
          file,
          twice,
        );
    }
    return found;
  },
);
