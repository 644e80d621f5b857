import type { DiffLine } from "../workspace/types.ts";
import { changedFiles, isProduct, peersOf, type ChangedFile } from "./change.ts";
import { perRollout, type Suspicion } from "./lead.ts";
import { enclosing } from "./source-file.ts";
import { place, suspect } from "./suspect.ts";
import { isScript, type Language } from "./syntax/language.ts";
import { asks, escape } from "./task-text.ts";

interface Call {
  /** What a reader would call it. */
  what: string;
  pattern: RegExp;
  /** `stop` never belongs into a change; `out` and `err` depend on what the module did before. */
  kind: "stop" | "out" | "err";
}

const PYTHON: Call[] = [
  {
    what: "a debugger call",
    pattern: /\bi?pu?db\.(?:set_trace|post_mortem)\s*\(|(?<![.\w])breakpoint\s*\(\s*\)|^\s*import i?pu?db\b/,
    kind: "stop",
  },
  {
    what: "a print",
    pattern:
      /(?<![.\w])p?print\s*\((?!.*\bfile\s*=\s*(?!sys\.std))|(?<![.\w])ic\s*\(|\bsys\.(?:__)?stdout(?:__)?\.write\s*\(/,
    kind: "out",
  },
  {
    what: "output on stderr",
    pattern: /\bsys\.(?:__)?stderr(?:__)?\.write\s*\(|\btraceback\.print_\w+\s*\(/,
    kind: "err",
  },
  {
    what: "a call of the root logger",
    pattern: /(?<![.\w])logging\.(?:debug|info|warning|error|critical|exception)\s*\(/,
    kind: "err",
  },
];
const SCRIPT: Call[] = [
  { what: "a debugger statement", pattern: /^\s*debugger\s*;?\s*$|(?<![.\w])alert\s*\(/, kind: "stop" },
  {
    what: "a console call",
    pattern:
      /\bconsole\.(?:log|debug|info|dir|table|trace|time\w*|count|group\w*)\s*\(|\bprocess\.stdout\.write\s*\(/,
    kind: "out",
  },
  {
    what: "a console call",
    pattern: /\bconsole\.(?:warn|error)\s*\(|\bprocess\.stderr\.write\s*\(/,
    kind: "err",
  },
];
const OTHERS: Partial<Record<Language, Call[]>> = {
  go: [
    {
      what: "a print",
      pattern: /\bfmt\.Print(?:f|ln)?\s*\(|(?<![.\w])println\s*\(|\bspew\.Dump\s*\(/,
      kind: "out",
    },
    {
      what: "a log call",
      pattern: /\blog\.Print(?:f|ln)?\s*\(|\bfmt\.Fprint(?:f|ln)?\s*\(\s*os\.Stderr/,
      kind: "err",
    },
  ],
  rust: [
    { what: "a dbg! call", pattern: /(?<!\w)dbg!\s*\(/, kind: "stop" },
    { what: "a print", pattern: /(?<!\w)print(?:ln)?!\s*\(/, kind: "out" },
    { what: "output on stderr", pattern: /(?<!\w)eprint(?:ln)?!\s*\(/, kind: "err" },
  ],
  java: [
    { what: "a print", pattern: /\bSystem\.out\.print(?:ln|f)?\s*\(/, kind: "out" },
    {
      what: "output on stderr",
      pattern: /\bSystem\.err\.print(?:ln|f)?\s*\(|\.printStackTrace\s*\(\s*\)/,
      kind: "err",
    },
  ],
  kotlin: [{ what: "a print", pattern: /(?<![.\w])print(?:ln)?\s*\(|\bSystem\.out\.print/, kind: "out" }],
  csharp: [
    {
      what: "a print",
      pattern: /\bConsole\.(?:Error\.)?Write(?:Line)?\s*\(|\bDebug\.Write(?:Line)?\s*\(/,
      kind: "out",
    },
  ],
  swift: [{ what: "a print", pattern: /(?<![.\w])(?:debugPrint|print|dump|NSLog)\s*\(/, kind: "out" }],
  scala: [{ what: "a print", pattern: /(?<![.\w])print(?:ln)?\s*\(/, kind: "out" }],
  php: [
    {
      what: "a dump",
      pattern: /(?<![.\w>:])(?:var_dump|print_r|var_export|error_log|dd|dump)\s*\(/,
      kind: "out",
    },
  ],
  ruby: [
    {
      what: "a debugger call",
      pattern: /\bbinding\.(?:pry|irb|break)\b|(?<![.\w])(?:byebug|debugger)\s*$/,
      kind: "stop",
    },
    {
      what: "a print",
      pattern: /^\s*(?:puts|p|pp)\s+(?![=.])\S|^\s*(?:puts|p|pp|print)\s*\(|\$std(?:out|err)\.puts/,
      kind: "out",
    },
  ],
  c: [
    { what: "a print", pattern: /(?<![.\w])(?:printf|puts)\s*\(|\bstd::cout\s*<</, kind: "out" },
    {
      what: "output on stderr",
      pattern: /(?<![.\w])fprintf\s*\(\s*stderr|(?<![.\w])perror\s*\(|\bstd::cerr\s*<</,
      kind: "err",
    },
  ],
  shell: [{ what: "tracing", pattern: /^\s*set\s+-[a-z]*x\b/, kind: "stop" }],
};

/** Programs whose job it is to print. */
const PRINTS =
  /(?:^|\/)(?:bin|scripts?|tools?|cli|cmd|commands?|console|examples?|demos?|bench(?:marks?)?|tasks|hack)\/|(?:^|\/)(?:cli|main|__main__|manage|console|repl|logg(?:er|ing)|debug)\.\w+$/i;
/** A message for the person who wrote it and no one else. */
const MARKER = /\b(?:debug(?:ging)?|dbg|xxx|here|trace|tmp|temp)\b|[=*#-]{3,}|>{2,}|<{2,}|\{\w+=\}/i;
const GUARD = /\bif\b.*\b(?:verbose|debug\w*|is_?debug|trace|quiet|silent|dev|__DEV__)\b/i;

function callsOf(language: Language): Call[] {
  if (language === "python") return PYTHON;
  return isScript(language) ? SCRIPT : (OTHERS[language] ?? []);
}

function count(lines: readonly string[], pattern: RegExp): number {
  return lines.filter((line) => pattern.test(line)).length;
}

/** Uses from which on a module prints as a matter of course; a short module needs fewer. */
const CUSTOM = 3;

/** Whether the module already prints like this as a matter of course, judged without its `if __name__` part. */
function isCustom(file: ChangedFile, call: Call): boolean {
  const masked = file.before?.masked() ?? [];
  const main = masked.findIndex((line) => line.startsWith("if __name__"));
  const product = main === -1 ? masked : masked.slice(0, main);
  return count(product, call.pattern) >= Math.min(CUSTOM, product.length / 400 + 1);
}

/** A new file that prints at its top level is a script of its own: whether it belongs there is another detector's question. */
async function isOwnScript(file: ChangedFile, lines: readonly DiffLine[]): Promise<boolean> {
  if (file.diff.status !== "added") return false;
  const outline = (await file.after?.outline()) ?? [];
  return lines.every((line) => enclosing(outline, line.new ?? 0) === undefined);
}

async function looksPersonal(file: ChangedFile, line: DiffLine): Promise<boolean> {
  if (MARKER.test(line.text)) return true;
  const name = enclosing((await file.after?.outline()) ?? [], line.new ?? 0)?.name;
  return name !== undefined && name.length > 3 && new RegExp(`["'\`].*\\b${escape(name)}\\b`).test(line.text);
}

/** Added console output, logging by hand and debugger stops in product code that did not print before. */
export const debugOutput = perRollout(
  "debug-output",
  "Debug prints, console calls and debugger stops added to product code; programs and modules that print anyway are left alone.",
  async (rollout, workspace) => {
    const found: Suspicion[] = [];
    const peers = peersOf(workspace, rollout);
    for (const file of await changedFiles(workspace, rollout)) {
      const { after } = file;
      if (!isProduct(file) || after?.language === undefined) continue;
      const masked = after.masked();
      for (const call of callsOf(after.language)) {
        const lines = file.fresh.filter((line) => call.pattern.test(masked[(line.new ?? 0) - 1] ?? ""));
        if (lines.length === 0 || (await isOwnScript(file, lines))) continue;
        const guarded = lines.every((line) =>
          [1, 2].some((above) => GUARD.test(masked[(line.new ?? 0) - 1 - above] ?? "")),
        );
        const alike = peers.filter((peer) =>
          peer.files.some(
            ({ path, hunks }) =>
              path === file.path &&
              hunks.some((hunk) =>
                hunk.lines.some((line) => line.kind === "added" && call.pattern.test(line.text)),
              ),
          ),
        );
        const personal = (await Promise.all(lines.map((line) => looksPersonal(file, line)))).some(Boolean);
        const expected =
          PRINTS.test(file.path) ||
          isCustom(file, call) ||
          asks(
            workspace.task.statement,
            call.kind === "err" ? ["warn", "log", "stderr"] : ["print", "stdout", "echo"],
          );
        const agreed = peers.length > 0 && alike.length * 2 >= peers.length;
        const harmless = call.kind !== "stop" && ((expected && !personal) || guarded || agreed);
        const lead = suspect(
          {
            rollout: rollout.label,
            criterion: "unintended_side_effects",
            severity: harmless ? "note" : "minor",
            claim: `Adds ${call.what} ${place(file.path, lines)}: it runs for every caller and has to go before a merge.`,
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
