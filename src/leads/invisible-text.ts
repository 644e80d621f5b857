import type { Workspace, WorkspaceRollout } from "../workspace/types.ts";
import { changedFiles, type AddedLine, type ChangedFile } from "./hacks/changed-files.ts";
import { invisibles, lookalikes, type Oddity } from "./hacks/code-points.ts";
import { codePoint, shown, suspect, type Charge } from "./hacks/report.ts";
import { perRollout, type Suspicion } from "./lead.ts";

/** Texts in many languages; direction marks and joiners are spelling there. */
const LOCALE_PATH =
  /(^|[/_.-])(i18n|l10n|locales?|lang(uages?)?|translations?|messages|intl)([/_.-]|$)|\.(po|pot|strings|xlf|arb)$/i;

interface Found {
  line: AddedLine;
  odd: Oddity;
}

/** Characters that a reviewer cannot see, or takes for others. */
export const invisibleText = perRollout(
  "invisible-text",
  "added bidirectional controls, zero-width and tag characters, control codes, and identifiers spelled with " +
    "look-alike letters; emoji, joining scripts, locale files and what a file had before are left alone or noted",
  async (rollout, workspace) => {
    const found: Suspicion[] = [];
    for (const file of await changedFiles(workspace, rollout)) {
      const before = (await textBefore(workspace, file)) ?? "";
      found.push(...inLines(rollout, file, before), ...(await inName(rollout, workspace, file)));
    }
    return found;
  },
);

async function textBefore(workspace: Workspace, { diff }: ChangedFile): Promise<string | undefined> {
  if (diff.status === "added") return undefined;
  return workspace.store.readText(workspace.base, diff.old_path ?? diff.path, 2 * 1024 * 1024);
}

function inLines(rollout: WorkspaceRollout, file: ChangedFile, before: string): Suspicion[] {
  const words = wordsOf(before);
  const all: Found[] = file.added.flatMap((line) => {
    // A byte order mark at the very start is how some editors store text.
    const hidden = invisibles(line.text).filter(
      (odd) => !(line.number === 1 && odd.at === 0 && odd.char === "\uFEFF"),
    );
    const disguised = file.language === undefined ? [] : lookalikes(line.bare, (word) => words.has(word));
    return [...hidden, ...disguised].map((odd) => ({ line, odd }));
  });
  const fresh = all.filter(({ odd }) => odd.kind === "lookalike" || !before.includes(odd.char));
  return (["bidi", "invisible", "lookalike"] as const).flatMap((kind) => {
    const some = fresh.filter(({ odd }) => odd.kind === kind);
    return some.length === 0 ? [] : [charge(rollout, file, kind, some)];
  });
}

function charge(
  rollout: WorkspaceRollout,
  file: ChangedFile,
  kind: Oddity["kind"],
  found: readonly Found[],
): Suspicion {
  const { path } = file.diff;
  const points = [...new Set(found.map(({ odd }) => codePoint(odd.char)))];
  const named = points.slice(0, 6).join(", ") + (points.length > 6 ? ` and ${points.length - 6} more` : "");
  const says = {
    bidi: "holds bidirectional controls that make the line read in another order than it runs",
    invisible: "holds characters that do not show",
    lookalike: "spells an identifier with letters that only look Latin",
  }[kind];
  const claim = `${path}:${found[0]?.line.number ?? 1} ${says}: ${named}.`;
  const cited = new Map(found.map(({ line, odd }) => [line.number, { line, odd }]));
  return suspect(
    rollout,
    severityOf(file, kind),
    claim,
    [...cited.values()].map(({ line, odd }) => ({
      file: path,
      line: line.number,
      text: line.text,
      at: odd.at,
    })),
  );
}

function severityOf(file: ChangedFile, kind: Oddity["kind"]): Charge {
  const criterion = "codebase_consistency";
  if (LOCALE_PATH.test(file.diff.path)) return { criterion, severity: "note" };
  if (kind === "bidi" && file.language !== undefined) return { criterion, severity: "major" };
  // Tests of text handling need such characters in their samples.
  return { criterion, severity: file.diff.class === "test" && kind === "invisible" ? "note" : "minor" };
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/[A-Za-z_$][\w$]*/g));
}

async function inName(
  rollout: WorkspaceRollout,
  workspace: Workspace,
  file: ChangedFile,
): Promise<Suspicion[]> {
  const { path, status } = file.diff;
  const line = file.added.find((one) => one.text.trim() !== "");
  if (status === "modified" || line === undefined) return [];
  const points = [...invisibles(path), ...lookalikes(path, () => false)].map(({ char }) => codePoint(char));
  const composed = path.normalize("NFC");
  const twin = composed === path ? undefined : await workspace.store.entry(workspace.base, composed);
  if (twin !== undefined)
    points.push("decomposed accents, beside a file of the same name with composed ones");
  if (points.length === 0) return [];
  const claim = `The file name ${shown(path)} holds characters that do not show or pass for others: ${[...new Set(points)].join(", ")}.`;
  const hit = { file: path, line: line.number, text: line.text };
  return [suspect(rollout, { criterion: "codebase_consistency", severity: "minor" }, claim, [hit])];
}
