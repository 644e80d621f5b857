import type { DiffLine, Workspace, WorkspaceRollout } from "../workspace/types.ts";
import { addedProductText, changedFiles, isProduct, peersOf, type ChangedFile } from "./change.ts";
import { perRollout, type Suspicion } from "./lead.ts";
import { projectStatements, spansOf, type Statement } from "./project-docs.ts";
import { suspect } from "./suspect.ts";
import { escape } from "./task-text.ts";

/** `pkg.names.normalize()` -> normalize. Undefined for what names no function. */
function calledName(span: string): string | undefined {
  return /^(?:[\w$]+[.#:]+)*([A-Za-z_$][\w$]{2,})\s*\(/.exec(span)?.[1];
}

/** Functions that a statement of the documentation presents by name, with the statement. */
function documented(statements: readonly Statement[]): Map<string, Statement> {
  const found = new Map<string, Statement>();
  for (const statement of statements) {
    // A table row or heading lists what there is; a sentence says how to work.
    if (/^[|#>]/.test(statement.text)) continue;
    for (const span of spansOf(statement.text)) {
      const name = calledName(span);
      if (name !== undefined && !found.has(name)) found.set(name, statement);
    }
  }
  return found;
}

const says = (text: string, name: string) => new RegExp(`(?<![\\w$])${escape(name)}(?![\\w$])`).test(text);

/** Names that the others hand to the helper. */
function argumentNames(peers: readonly WorkspaceRollout[], name: string): Set<string> {
  const call = new RegExp(`(?<![\\w$])${escape(name)}\\s*\\(([^()]*(?:\\([^()]*\\)[^()]*)*)`, "g");
  const handed = peers.flatMap((peer) =>
    [...addedProductText(peer).matchAll(call)].map((match) => match[1] ?? ""),
  );
  return new Set(handed.flatMap((text) => text.match(/[A-Za-z_$][\w$]*/g) ?? []));
}

/** The first line of this rollout that speaks most of what the others hand to the helper. */
function handWritten(
  files: readonly ChangedFile[],
  peers: readonly WorkspaceRollout[],
  name: string,
): { file: ChangedFile; line: DiffLine } | undefined {
  const handed = argumentNames(peers, name);
  let best: { file: ChangedFile; line: DiffLine; score: number } | undefined;
  for (const file of files.filter(isProduct)) {
    for (const line of file.fresh) {
      if (/^\s*(?:import|from|use|using|#|\/\/|\*)/.test(line.text) || !/\w/.test(line.text)) continue;
      const score = new Set((line.text.match(/[A-Za-z_$][\w$]*/g) ?? []).filter((word) => handed.has(word)))
        .size;
      if (best === undefined || score > best.score) best = { file, line, score };
    }
  }
  return best;
}

async function missedHelpers(
  rollout: WorkspaceRollout,
  workspace: Workspace,
  peers: readonly WorkspaceRollout[],
): Promise<Suspicion[]> {
  const own = addedProductText(rollout);
  const texts = peers.map(addedProductText);
  const files = await changedFiles(workspace, rollout);
  const found: Suspicion[] = [];
  for (const [name, statement] of documented(await projectStatements(workspace))) {
    const using = texts.filter((text) => says(text, name)).length;
    if (says(own, name) || using * 2 <= texts.length) continue;
    // Asked only for names that most others use: these are few.
    const { matches } = await workspace.store.grep(workspace.base, { pattern: name, word: true, limit: 200 });
    if (!matches.some((match) => /\.\w+$/.test(match.path) && !/\.(?:md|rst|txt)$/.test(match.path)))
      continue;
    const hand = handWritten(files, peers, name);
    if (hand === undefined) continue;
    const lead = suspect(
      {
        rollout: rollout.label,
        criterion: "codebase_consistency",
        severity: "minor",
        claim: `Does without ${name}(), which ${statement.path} (line ${statement.line}) names for this and ${using} of ${texts.length} other passing rollouts call; here it is done by hand (${hand.file.path}, line ${hand.line.new ?? 0}).`,
      },
      hand.file.path,
      [hand.line],
    );
    if (lead !== undefined) found.push({ ...lead, omission: true });
  }
  return found;
}

const DEMANDS =
  /\b(?:gets?|must|should|keep|kept|notes?|noted|adds?|added|updates?|updated|lists?|listed|records?|recorded|documents?|documented|entry|please|every|each|all)\b/i;

/** The statement by which the project asks for a document to follow each change, or undefined. */
function demandFor(path: string, statements: readonly Statement[]): Statement | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const word = new RegExp(`(?<![\\w])${escape(name.replace(/\.\w+$/, ""))}(?:\\.\\w+)?(?![\\w])`, "i");
  return statements.find(({ text, path: home }) => {
    if (/^[|#>]/.test(text) || !DEMANDS.test(text)) return false;
    return (
      word.test(text) ||
      (home === path &&
        /\b(?:this|the) (?:table|list|page|file|section)\b/i.test(text) &&
        /\b(?:above|below|current|complete|up to date|here|there)\b/i.test(text))
    );
  });
}

async function missedDocuments(
  rollout: WorkspaceRollout,
  workspace: Workspace,
  peers: readonly WorkspaceRollout[],
): Promise<Suspicion[]> {
  const own = new Set(rollout.files.map((file) => file.path));
  const paths = new Set(
    peers.flatMap((peer) =>
      peer.files
        .filter((file) => file.class === "docs" && file.status === "modified")
        .map((file) => file.path),
    ),
  );
  const statements = await projectStatements(workspace);
  const file = (await changedFiles(workspace, rollout)).find(
    (changed) => isProduct(changed) && changed.added.length > 0,
  );
  if (file === undefined) return [];
  return [...paths].sort().flatMap((path) => {
    const updating = peers.filter((peer) => peer.files.some((changed) => changed.path === path)).length;
    if (own.has(path) || updating * 2 <= peers.length) return [];
    const demand = demandFor(path, statements);
    const why = demand === undefined ? "" : `; ${demand.path} (line ${demand.line}) asks for it`;
    const lead = suspect(
      {
        rollout: rollout.label,
        criterion: "codebase_consistency",
        severity: demand === undefined ? "note" : "minor",
        claim: `Leaves ${path} as it was, while ${updating} of ${peers.length} other passing rollouts bring it up to date with this change${why}.`,
      },
      file.path,
      file.fresh.filter((line) => !/^\s*(?:import|from|use|using|#|\/\/|\*)/.test(line.text)).slice(0, 1),
    );
    return lead === undefined ? [] : [{ ...lead, omission: true }];
  });
}

/** What the project asks for and most other passing rollouts do, but this one does not. */
export const peerOmissions = perRollout(
  "peer-omissions",
  "Helpers that the project's documentation names and documents that it wants kept current, used or updated by most other passing rollouts and not by this one.",
  async (rollout, workspace) => {
    const peers = peersOf(workspace, rollout);
    if (peers.length < 2 || rollout.files.length === 0) return [];
    return [
      ...(await missedHelpers(rollout, workspace, peers)),
      ...(await missedDocuments(rollout, workspace, peers)),
    ];
  },
);
