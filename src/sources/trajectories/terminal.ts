import { EventLog } from "./events.ts";
import type { TrajectoryReader } from "./reader.ts";
import { typedCommand, withoutEscapes } from "./terminal-text.ts";

/**
 * What a terminal showed, as Terminal-Bench keeps it of a pane: text with the prompts of a shell. Every command is a
 * turn; what the agent said and how commands ended is not recorded. Programs that fill the screen cannot be told apart
 * from output.
 */
export const terminal: TrajectoryReader = {
  format: "terminal",
  matches: (content) => content.kind === "text" && looksLikePane(content.text.slice(0, HEAD)),
  read(content, note) {
    const log = new EventLog();
    if (content.kind === "text") readPane(log, withoutEscapes(content.text));
    note(
      "terminal_only",
      "a terminal's text: commands are told by the prompts before them, the rest is output",
    );
    return { format: "terminal", events: log.finish(note) };
  },
};

/** Characters that are looked at to tell what a text is. */
const HEAD = 65_536;

/** `root@box:/app# ls`, `(venv) me@box:~$ ls`, `bash-5.1# ls` */
const PROMPT =
  /^(?:\([\w.-]{1,40}\) ?)?(?:[\w.-]{1,64}@[\w.-]{1,64}:[^$#]{1,300}|(?:ba|z)?sh-\d[\d.]{0,9})[$#](?: (.*))?$/;

/** A prompt at the very beginning, or anywhere in text that has a terminal's escape sequences. */
function looksLikePane(head: string): boolean {
  const lines = linesOf(withoutEscapes(head));
  if (head.includes("\u001b")) return lines.some((line) => PROMPT.test(line));
  const first = lines.find((line) => line.trim() !== "");
  return first !== undefined && PROMPT.test(first);
}

function linesOf(text: string): string[] {
  return text.split("\n").map((line) => line.replace(/^\r+|\r+$/g, ""));
}

function readPane(log: EventLog, text: string): void {
  let output: string[] = [];
  let isTyping = false;
  let command = "";
  const flush = (isAnswered: boolean): void => {
    if (command !== "") {
      log.beginTurn();
      log.call({ text: command, tool: "terminal", command });
    }
    // Text that ends with a command has nothing of its output.
    if (!log.awaitsResult) log.context("env", output.join("\n"));
    else if (output.length > 0 || isAnswered) log.observe(output.join("\n"));
    output = [];
    command = "";
  };

  for (const line of linesOf(text)) {
    const prompt = PROMPT.exec(line);
    if (prompt !== null) {
      flush(true);
      command = typedCommand(prompt[1] ?? "");
      isTyping = command !== "";
    } else if (isTyping && line.startsWith("> ")) command += `\n${typedCommand(line.slice(2))}`;
    else {
      isTyping = false;
      output.push(line);
    }
  }
  flush(false);
}
