import { goDrops } from "./go-errors.ts";
import type { SourceFile } from "./source-file.ts";
import { handlersOf, isBroad, type Handler } from "./syntax/handlers.ts";
import { isScript, type Language } from "./syntax/language.ts";
import type { Token } from "./syntax/lex.ts";

const CONSTANT =
  /^(?:None|null|undefined|nil|NULL|nullptr|true|false|True|False|-?\s?[\d.]+\w*|(["'`]).*\1|\[[^()]*\]|\(? ?\{[^()]*\} ?\)?|\( \)|(?:set|dict|list|tuple|str) \( \)|new \w+(?: < .*>)? \( \)|[\w.$#]+(?: \. [\w$#]+)*)$/s;
const LOG =
  /^(?:(?:self|this|cls) \. )?_?(?:log(?:ger|ging)?|LOG(?:GER)?|console|warnings|print|traceback|System \. (?:out|err)|fmt|sentry\w*|\w+ \. printStackTrace)\b/;
const STEP = /^(?:pass|\.\.\.|continue|break|return|next|;)$/;
/** Calls that answer a question by throwing; a constant on failure is how they are used. */
const PROBE =
  /\b(?:JSON \. parse|new URL|require|import|decodeURI(?:Component)?|BigInt|new RegExp|atob|localStorage|sessionStorage|matchMedia|\w+Sync|readFile|stat|access|unlink|readdir|Intl)\b/;

/** Statements of a body, one a line; a line that only continues an open bracket belongs to the one above. */
function statements(body: readonly Token[]): string[] {
  const found: string[] = [];
  let depth = 0;
  let line = -1;
  for (const token of body) {
    if (token.text === ";" && depth === 0) {
      line = -1;
      continue;
    }
    const fresh = depth === 0 && token.line !== line;
    if (fresh) found.push(token.text);
    else found.push(`${found.pop() ?? ""} ${token.text}`);
    if (/^[([{]$/.test(token.text)) depth += 1;
    else if (/^[)\]}]$/.test(token.text)) depth -= 1;
    line = token.endLine;
  }
  return found;
}

/** What is done with the error: nothing, a constant instead of a result, or a line in a log. */
export type Drop = "nothing" | "constant" | "log";

/** How a body drops its error, or undefined when it does something about it. */
function dropsHow(body: readonly Token[]): Drop | undefined {
  let how: Drop = "nothing";
  for (const statement of statements(body)) {
    if (STEP.test(statement)) continue;
    const value = /^(?:return|(?:(?:const|let|var) )?[\w$]+ :?=)\s?(.*)$/s.exec(statement)?.[1];
    if (LOG.test(statement)) how = "log";
    else if (value !== undefined && CONSTANT.test(value)) how = how === "log" ? "log" : "constant";
    else if (CONSTANT.test(statement) && !/^[A-Za-z_]\w* \./.test(statement)) how = "constant";
    else return undefined;
  }
  return how;
}

/** The name that the handler gives to the error. */
function boundName(head: readonly Token[], language: Language): string | undefined {
  const names = head.filter((token) => token.kind === "name").map((token) => token.text);
  if (language === "python") return names.includes("as") ? names.at(-1) : undefined;
  return names.at(isScript(language) || language === "kotlin" ? 0 : -1);
}

/** Patterns of one line that drop every error. */
const ONE_LINERS: Partial<Record<Language, RegExp>> = {
  python: /\bsuppress\s*\([^)]*\b(?:Base)?Exception\b/,
  ruby: /\srescue\s+(?:nil|false|true|\[\]|\{\}|0)\s*$/,
  rust: /\bErr\(\s*_\w*\s*\)\s*=>\s*(?:\{\s*\}|\(\s*\))/,
  go: /^\s*(?:defer\s+func\s*\(\s*\)\s*\{\s*(?:_\s*=\s*)?recover\s*\(\s*\)\s*\}|_\s*=\s*recover\s*\(\s*\)|recover\s*\(\s*\)\s*$)/,
};
const EMPTY_CATCH =
  /\.catch\s*\(\s*(?:\(\s*\w*\s*\)|\w+)\s*=>\s*(?:\{\s*\}|null|undefined|void 0|false|true|\[\s*\]|\(\{\s*\}\)|["'`]\s*["'`]|\d+)\s*\)|\.catch\s*\(\s*(?:noop|\(\)\s*=>\s*\{\s*\})\s*\)/;

function oneLiner(language: Language): RegExp | undefined {
  return isScript(language) ? EMPTY_CATCH : ONE_LINERS[language];
}

/** A place where errors end. `probe`: the guarded call answers a question by throwing. */
export interface Swallow {
  line: number;
  endLine: number;
  how: Drop;
  probe: boolean;
}

/** All places of a file that drop every error. */
export async function swallowsIn(file: SourceFile, language: Language): Promise<Swallow[]> {
  const handlers = handlersOf(file.text, file.tokens(), language).flatMap((handler): Swallow[] => {
    const how = dropsHow(handler.body);
    if (how === undefined || !isBroad(handler, language) || usesError(handler, language, how)) return [];
    const probe = isScript(language) && PROBE.test(handler.guarded.map((token) => token.text).join(" "));
    return [
      {
        line: handler.line,
        endLine: handler.endLine,
        how,
        probe: probe && statements(handler.guarded).length <= 2,
      },
    ];
  });
  const pattern = oneLiner(language);
  const lines =
    pattern === undefined
      ? []
      : file
          .masked()
          .flatMap((line, index): Swallow[] =>
            pattern.test(line) ? [{ line: index + 1, endLine: index + 1, how: "nothing", probe: false }] : [],
          );
  const dropped = language === "go" ? await goDrops(file) : [];
  return [
    ...handlers,
    ...lines,
    ...dropped.map((drop): Swallow => ({ ...drop, how: "nothing", probe: false })),
  ];
}

function usesError(handler: Handler, language: Language, how: Drop): boolean {
  const name = boundName(handler.head, language);
  return how !== "log" && name !== undefined && handler.body.some((token) => token.text === name);
}
