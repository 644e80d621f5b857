import { isScript, type Language } from "./syntax/language.ts";

/** A way to write to the console, a log or a debugger. */
export interface Call {
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
    pattern:
      /\bsys\.(?:__)?stderr(?:__)?\.write\s*\(|\btraceback\.print_\w+\s*\((?!.*\bfile\s*=\s*(?!sys\.std))/,
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

/** What counts as output in a language, by a pattern for lines whose strings and comments are blanked. */
export function callsOf(language: Language): Call[] {
  if (language === "python") return PYTHON;
  return isScript(language) ? SCRIPT : (OTHERS[language] ?? []);
}

/** Programs whose job it is to print. */
export const PRINTS =
  /(?:^|\/)(?:bin|scripts?|tools?|cli|cmd|commands?|console|examples?|demos?|bench(?:marks?)?|tasks|hack)\/|(?:^|\/)(?:cli|main|__main__|manage|console|repl|logg(?:er|ing)|debug)\.\w+$/i;
