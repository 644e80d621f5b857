import { changedFiles, isProduct, type ChangedFile } from "./change.ts";
import { perRollout, type Suspicion } from "./lead.ts";
import { neighbours } from "./neighbours.ts";
import type { SourceFile } from "./source-file.ts";
import { place, suspect } from "./suspect.ts";

interface Technique {
  what: string;
  /** Each must match some line; strings and comments are blanked, unless `raw`. */
  signs: RegExp[];
  raw?: boolean;
}

/** Things that a project writes once. Two places with all the signs do the same thing, whatever their names are. */
const TECHNIQUES: Technique[] = [
  {
    what: "a binary heap",
    signs: [
      /\(?\s*\w+ - 1\s*\)?\s*(?:>>>?\s*1|\/\/?\s*2)\b/,
      /\b(?:2\s*\*\s*\w+|\w+\s*\*\s*2|\w+\s*<<\s*1)\s*\)?\s*(?:\+|\|)\s*1\b/,
    ],
  },
  { what: "HTML escaping", signs: [/&amp;/, /&lt;/, /&gt;|&quot;/], raw: true },
  {
    what: "escaping for regular expressions",
    signs: [/\[[^\]]*\.\*\+\?\^\$[^\n]*\\\]\\?\\?\]|\[\.\*\+\?\^\$\{\}\(\)\|/],
    raw: true,
  },
  {
    what: "edit distance",
    signs: [
      /\bmin\s*\(/,
      /\[\s*\w+\s*-\s*1\s*\]\s*\[\s*\w+\s*-\s*1\s*\]|\[\s*\w+\s*-\s*1\s*\]\s*\+\s*1/,
      /\bfor\b/,
    ],
  },
  { what: "a random identifier", signs: [/Math\.random\(\)\.toString\(\s*(?:36|16)\s*\)/] },
  { what: "a delay", signs: [/new Promise\s*\(\s*\(?\w+\)?\s*=>\s*\{?\s*(?:return\s+)?setTimeout\s*\(/] },
  { what: "deep cloning", signs: [/JSON\.parse\s*\(\s*JSON\.stringify\s*\(/] },
  {
    what: "a debounce",
    signs: [/clearTimeout\s*\(\s*\w+\s*\)/, /\w+\s*=\s*setTimeout\s*\(/, /\.apply\s*\(|\.\.\.args\b/],
  },
];

function shows(lines: readonly string[], signs: readonly RegExp[]): boolean {
  return signs.every((sign) => lines.some((line) => sign.test(line)));
}

const linesOf = (file: SourceFile, technique: Technique) =>
  technique.raw === true ? file.lines() : file.masked();

/** A technique that the added lines show and the file did not, or undefined. */
function addedTechniques(file: ChangedFile, after: SourceFile): Technique[] {
  return TECHNIQUES.filter((technique) => {
    const lines = linesOf(after, technique);
    const fresh = file.fresh.map((line) => lines[(line.new ?? 1) - 1] ?? "");
    return (
      shows(fresh, technique.signs) &&
      !(file.before !== undefined && shows(linesOf(file.before, technique), technique.signs))
    );
  });
}

/** Well-known techniques written again although a module within reach has them. */
export const knownTechniques = perRollout(
  "known-techniques",
  "A heap, an escape, a delay and the like written again where a neighbouring module of the base already has one.",
  async (rollout, workspace) => {
    const found: Suspicion[] = [];
    for (const file of await changedFiles(workspace, rollout)) {
      const { after } = file;
      if (!isProduct(file) || after === undefined) continue;
      const techniques = addedTechniques(file, after);
      if (techniques.length === 0) continue;
      const near = (await neighbours(workspace, file.path)).filter((other) => other.path !== file.path);
      for (const technique of techniques) {
        const home = near.find((other) => shows(linesOf(other, technique), technique.signs));
        if (
          home === undefined ||
          rollout.files.some((other) => other.path === home.path && other.removed > other.added)
        )
          continue;
        const lines = file.fresh.filter((line) => technique.signs.some((sign) => sign.test(line.text)));
        const claim = `Writes ${technique.what} again (${place(file.path, lines)}); ${home.path} already has it.`;
        const lead = suspect(
          { rollout: rollout.label, criterion: "codebase_consistency", severity: "minor", claim },
          file.path,
          lines,
        );
        if (lead !== undefined) found.push(lead);
      }
    }
    return found;
  },
);
