/** One simple command of a shell text. Enough of the grammar to see who is called and where output goes. */
export interface ShellCommand {
  /** Offset of the first word in the text. */
  at: number;
  /** Without quotes; assignments in front and wrappers such as `sudo` and `timeout 60` are left out. */
  words: string[];
  /** Targets of `>` and `>>`, without those of the error stream. */
  writes: string[];
  /** Ends with `&`. */
  background: boolean;
  /** What a here-document feeds it. */
  input?: string;
}

/** Longest shell text that is taken apart, in characters; the rest is not looked at. */
const MAX_SHELL = 100_000;
const WRAPPERS = /^(sudo|env|command|time|nice|exec|then|do|else|if|while|until|!|\{|\w+=.*)$/s;

const BLANK = /(?:[^\S\n]|\\\n)+/y;
const COMMENT = /#[^\n]*/y;
const HEREDOC = /<<-?[^\S\n]*(['"]?)([A-Za-z_][\w-]*)\1/y;
const REDIRECT = /([\d&]?)>>?(&\d?|\|)?/y;
const OPERATOR = /&&|\|\||;;|\|&|[;|&()\n]/y;
const WORD = /(?:'[^']*'|"(?:\\[\s\S]|[^"\\])*"|\\[\s\S]|[^\s'"\\&|;<>()])+/y;
const QUOTED = /'([^']*)'|"((?:\\[\s\S]|[^"\\])*)"|\\([\s\S])/g;

/** The simple commands of a shell text, also those inside `sh -c "..."`. It never fails; odd text gives odd words. */
export function shellCommands(text: string, depth = 0): ShellCommand[] {
  return split(text.slice(0, MAX_SHELL)).flatMap((command) => {
    const words = unwrapped(command.words);
    const outer = { ...command, words };
    const inner = depth < 2 ? innerShell(words, command.input) : undefined;
    if (inner === undefined) return [outer];
    const nested = shellCommands(inner, depth + 1).map((one) => ({
      ...one,
      at: command.at,
      background: one.background || command.background || /^(nohup|setsid)$/.test(words[0] ?? ""),
    }));
    return [outer, ...nested];
  });
}

function unwrapped(words: readonly string[]): string[] {
  let start = 0;
  while (start < words.length) {
    if (WRAPPERS.test(words[start] ?? "")) start += 1;
    else if (words[start] === "timeout" && /^[\d.]+[smhd]?$/.test(words[start + 1] ?? "")) start += 2;
    else break;
  }
  return words.slice(start);
}

function innerShell(words: readonly string[], input: string | undefined): string | undefined {
  const own = words.findIndex((word) => !/^(nohup|setsid|-\w+)$/.test(word));
  if (!/(^|\/)(ba|z|da)?sh$/.test(words[own] ?? "")) return undefined;
  const flag = words.findIndex((word) => /^-\w*c$/.test(word));
  return flag === -1 ? input : words[flag + 1];
}

function split(text: string): ShellCommand[] {
  const commands: ShellCommand[] = [];
  const pending: { tag: string; command: ShellCommand }[] = [];
  let current: ShellCommand = { at: 0, words: [], writes: [], background: false };
  let target: "word" | "write" | "nowhere" = "word";
  let at = 0;

  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) at += match[0].length;
    return match ?? undefined;
  };
  const finish = (background: boolean) => {
    current.background = background;
    if (current.words.length > 0 || current.writes.length > 0) commands.push(current);
    current = { at, words: [], writes: [], background: false };
    target = "word";
  };

  while (at < text.length) {
    const start = at;
    if (take(BLANK) !== undefined || take(COMMENT) !== undefined) continue;
    const heredoc = take(HEREDOC);
    if (heredoc !== undefined) {
      pending.push({ tag: heredoc[2] ?? "", command: current });
      continue;
    }
    const redirect = take(REDIRECT);
    if (redirect !== undefined) {
      // `2>&1` joins streams, `2>file` keeps the errors.
      if (redirect[2]?.startsWith("&") !== true) target = redirect[1] === "2" ? "nowhere" : "write";
      continue;
    }
    const operator = take(OPERATOR)?.[0];
    if (operator !== undefined) {
      finish(operator === "&");
      if (operator === "\n") at = readHeredocs(text, at, pending.splice(0));
      continue;
    }
    const word = take(WORD)?.[0] ?? text[at++] ?? "";
    if (current.words.length === 0 && current.writes.length === 0) current.at = start;
    if (target === "word") current.words.push(unquoted(word));
    else if (target === "write") current.writes.push(unquoted(word));
    target = "word";
  }
  finish(false);
  return commands;
}

function unquoted(word: string): string {
  return word.replace(
    QUOTED,
    (_, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? "",
  );
}

/** Reads the bodies that follow a line, in order, and returns where the shell text goes on. */
function readHeredocs(text: string, start: number, docs: { tag: string; command: ShellCommand }[]): number {
  let at = start;
  for (const doc of docs) {
    const from = at;
    let to = text.length;
    while (at < text.length) {
      const end = text.indexOf("\n", at);
      const line = text.slice(at, end === -1 ? text.length : end);
      const next = end === -1 ? text.length : end + 1;
      if (line.trim() === doc.tag) {
        to = at;
        at = next;
        break;
      }
      at = next;
    }
    doc.command.input = text.slice(from, to);
  }
  return at;
}
