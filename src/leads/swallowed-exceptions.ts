import type { DiffLine } from "../workspace/types.ts";
import { changedFiles, isProduct, peersOf } from "./change.ts";
import { forgottenErrors } from "./go-errors.ts";
import { perRollout, type Suspicion } from "./lead.ts";
import type { SourceFile } from "./source-file.ts";
import { place, suspect } from "./suspect.ts";
import { swallowsIn, type Drop, type Swallow } from "./swallow.ts";

const ALLOWED =
  /\bignor\w+ (?:\w+ ){0,3}(?:errors?|exceptions?|failures?)\b|\bswallow|\bsuppress|\bsilently|\bbest[- ]effort|\bnever (?:throws?|raises?|fails?)\b|\bmust not (?:throw|raise)\b/i;

const SAID: Record<Drop, string> = {
  nothing: "drops the error without a trace",
  constant: "answers with a constant",
  log: "only logs",
};

/** Characters of comment inside a handler that make its silence a stated decision. */
const EXPLAINED = 120;

function explanation(file: SourceFile, { line, endLine }: Swallow): number {
  const comments = file
    .tokens()
    .filter((token) => token.kind === "comment" && line <= token.line && token.line <= endLine);
  return comments.reduce((sum, comment) => sum + comment.text.length, 0);
}

function atLine(line: DiffLine): Swallow {
  return { line: line.new ?? 0, endLine: line.new ?? 0, how: "nothing", probe: false };
}

/** Broad handlers added (or emptied) in product code that drop what they catch. */
export const swallowedExceptions = perRollout(
  "swallowed-exceptions",
  "Broad handlers that drop the error: empty, a constant, or only a log line; narrow ones and probing idioms are left alone.",
  async (rollout, workspace) => {
    const found: Suspicion[] = [];
    for (const file of await changedFiles(workspace, rollout)) {
      const language = file.after?.language;
      if (!isProduct(file) || file.after === undefined || language === undefined) continue;
      const before = file.before === undefined ? [] : await swallowsIn(file.before, language);
      const after = await swallowsIn(file.after, language);
      const forgotten = language === "go" ? forgottenErrors(file.fresh, file.removed).map(atLine) : [];
      for (const swallow of [...(after.length > before.length ? after : []), ...forgotten]) {
        const lines = file.added.filter(
          (line) => swallow.line <= (line.new ?? 0) && (line.new ?? 0) <= swallow.endLine,
        );
        if (lines.length === 0) continue;
        const customary = swallow.how === "log" && before.some((other) => other.how === "log");
        const agreed = agreement(
          peersOf(workspace, rollout).map(
            (peer) =>
              peer.files.find(({ path }) => path === file.path)?.hunks.flatMap((hunk) => hunk.lines) ?? [],
          ),
        );
        const explained = explanation(file.after, swallow) >= EXPLAINED;
        const harmless =
          explained || swallow.probe || customary || agreed || ALLOWED.test(workspace.task.statement);
        const lead = suspect(
          {
            rollout: rollout.label,
            criterion: "unintended_side_effects",
            severity: harmless ? "note" : "minor",
            claim: `A handler for every error ${SAID[swallow.how]} (${place(file.path, lines)}), so real faults pass for results.`,
          },
          file.path,
          lines,
        );
        if (lead !== undefined) found.push(lead);
      }
    }
    return found;
  },
);

const HANDLER_LINE = /^\s*(?:\}\s*)?(?:except\b|catch\b|rescue\b)|\.catch\s*\(/;

/** Half of the others handle errors in the same file: then the task seems to call for it. */
function agreement(peerLines: readonly DiffLine[][]): boolean {
  const alike = peerLines.filter((lines) =>
    lines.some((line) => line.kind === "added" && HANDLER_LINE.test(line.text)),
  );
  return peerLines.length > 0 && alike.length * 2 >= peerLines.length;
}
