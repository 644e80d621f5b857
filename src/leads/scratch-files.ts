import type { FileDiff, Workspace } from "../workspace/types.ts";
import { peersOf } from "./change.ts";
import { perRollout, type Suspicion } from "./lead.ts";
import { isReferenced, parentOf, stemOf, surroundings } from "./new-file.ts";
import { citeLines } from "./suspect.ts";
import { languageOf } from "./syntax/language.ts";

/** What editors, tools and shells leave behind. */
const RESIDUE =
  /\.(?:orig|rej|bak|backup|old|swp|swo|tmp|temp|log|pyc|pyo|class|o|prof|pid|out|patch|diff)$|~$|(?:^|\/)(?:\.DS_Store|Thumbs\.db|nohup\.out|\.coverage|a\.out|core)$|(?:^|\/)(?:__pycache__|node_modules|\.pytest_cache|\.mypy_cache|\.idea|\.vscode)\//;
/** Words that no part of a project is called by. */
const STRONG =
  /^(?:repro|reproduce[rs]?|reproducing|reproduction|scratch|scratchpad|tryout|poc|mre|mwe|adhoc|quicktest)$/i;
/** Words of a file name that say what a file was made for; only telling where nothing else explains the file. */
const SCRATCH =
  /^(?:tmp|temp|try|trial|playground|sandbox|quick|sanity|debug|debugging|experiment|manual|verify|verification|check|testing|attempt|demo|test)$/i;
const REPORT =
  /^(?:summary|notes?|fix|fixes|solution|implementation|analysis|report|plan|todo|progress|changes|findings|explanation|output|results?|log|diff|patch)$/i;
const REPORT_FORM = /\.(?:md|txt|rst|json|html|csv|xml|ya?ml)$|(?:^|\/)[^.]+$/i;

/** `reproduceIssue-2` -> reproduce, issue, 2 */
function words(stem: string): string[] {
  return stem
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .split(/[^A-Za-z]+/)
    .filter((word) => word !== "");
}

/** Why a new file looks left over, judged by its name and what it lies beside. */
async function suspicion(file: FileDiff, workspace: Workspace): Promise<string | undefined> {
  const { conventional, folderIsNew, testsBeside } = await surroundings(workspace, file.path);
  const apart = parentOf(file.path) === "" || folderIsNew;
  if (RESIDUE.test(file.path)) return conventional ? undefined : "is residue of a tool or an editor";
  const parts = words(stemOf(file.path));
  const script = languageOf(file.path) !== undefined;
  if (script && parts.some((word) => STRONG.test(word))) return "is a try-out script";
  if (file.class === "test") {
    return script && parentOf(file.path) === "" && !testsBeside
      ? "is a test outside the project's test folders"
      : undefined;
  }
  if (conventional) return undefined;
  if (script && parts.some((word) => SCRATCH.test(word))) return "is a try-out script";
  if (!apart) return undefined;
  if (REPORT_FORM.test(file.path) && parts.some((word) => REPORT.test(word)))
    return "reports on the work instead of being part of it";
  return script && runsAtImport(file) ? "is a script that nothing uses" : undefined;
}

/** Most new files of one change that are looked at. */
const MAX_FILES = 100;

const PRINTS =
  /^\s*(?:print|console\.\w+|puts|pp|echo|fmt\.Print\w*|System\.out\.print\w*|assert(?:\.\w+)?)\s*[( ]/;

/** A script for one's own eyes: most of it stands at the top level, and it prints. */
function runsAtImport(file: FileDiff): boolean {
  const lines = file.hunks
    .flatMap((hunk) => hunk.lines.map((line) => line.text))
    .filter((line) => line.trim() !== "");
  return lines.length < 80 && lines.some((line) => PRINTS.test(line));
}

/** New files that the task did not ask for and that nothing uses: scripts, try-outs, backups, logs, reports. */
export const scratchFiles = perRollout(
  "scratch-files",
  "Leftover scripts, reproductions, backups, logs and reports; new modules, tests and files that the project's layout explains are left alone.",
  async (rollout, workspace) => {
    const found: Suspicion[] = [];
    const peers = peersOf(workspace, rollout);
    for (const file of rollout.files.filter((one) => one.status === "added").slice(0, MAX_FILES)) {
      if (file.class === "lock") continue;
      const why = await suspicion(file, workspace);
      if (why === undefined) continue;
      const citations = citeLines(
        rollout.label,
        file.path,
        file.hunks.flatMap((hunk) => hunk.lines),
      ).slice(0, 1);
      if (citations.length === 0) continue;
      const agreed = peers.filter((peer) => peer.files.some(({ path }) => path === file.path)).length;
      const wanted =
        workspace.task.statement.includes(file.path) || (peers.length > 0 && agreed * 2 >= peers.length);
      if (wanted || (await isReferenced(workspace, rollout, file.path))) continue;
      found.push({
        rollout: rollout.label,
        criterion: "change_minimality",
        severity: "minor",
        claim: `The new file ${file.path} ${why}: the task does not ask for it and nothing refers to it.`,
        citations,
      });
    }
    return found;
  },
);
