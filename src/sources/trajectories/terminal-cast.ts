import type { Note } from "../notes.ts";
import { asInteger, asString, dig, isObject, optional } from "../shape.ts";
import { EventLog } from "./events.ts";
import { timeOf } from "./parts.ts";
import type { TrajectoryReader } from "./reader.ts";
import { typedCommand, withoutEscapes } from "./terminal-text.ts";

/**
 * An asciinema recording, as Terminal-Bench keeps it of a session: a header, then `[seconds, code, data]` a line with
 * what was typed (`i`), what was shown (`o`) and, as markers (`m`), what the agent answered. An answer begins a turn;
 * without answers every command is one.
 */
export const terminalCast: TrajectoryReader = {
  format: "terminal",
  matches: (content) => content.kind === "text" && headerOf(content.text) !== undefined,
  read(content, note) {
    const text = content.kind === "text" ? content.text : "";
    const header = headerOf(text);
    const log = new EventLog();
    readCast(log, text, header ?? { version: 2, begin: undefined }, note);
    const version = header === undefined ? undefined : `cast ${header.version}`;
    return { format: "terminal", ...optional("version", version), events: log.finish(note) };
  },
};

interface Header {
  version: number;
  /** Seconds since the epoch. */
  begin: number | undefined;
}

function headerOf(text: string): Header | undefined {
  const line = parse(/^\s*(\{.{1,20000})$/m.exec(text.slice(0, 20_002))?.[1] ?? "");
  const version = asInteger(dig(line, "version"));
  const hasSize = asInteger(dig(line, "width")) !== undefined || isObject(dig(line, "term"));
  if (version === undefined || version < 2 || !hasSize) return undefined;
  return { version, begin: asInteger(dig(line, "timestamp")) };
}

function readCast(log: EventLog, text: string, { version, begin }: Header, note: Note): void {
  let seconds = 0;
  let typed = "";
  let shown = "";
  let isAnswered = false;
  const details = (): { timestamp?: string | undefined } => ({
    timestamp: begin === undefined ? undefined : timeOf(begin + seconds),
  });
  const flushOutput = (): void => {
    const seen = withoutEscapes(shown);
    if (log.awaitsResult) log.observe(seen, details());
    else log.context("env", seen, details());
    shown = "";
  };
  const flushInput = (): void => {
    const command = typedCommand(typed);
    typed = "";
    if (command === "") return;
    flushOutput();
    if (!isAnswered) log.beginTurn();
    log.call({ text: command, tool: "terminal", command }, undefined, details());
  };

  for (const [index, raw] of text.trim().split("\n").entries()) {
    const record = index === 0 || raw.trim() === "" ? undefined : parse(raw);
    const [time, code, data] = Array.isArray(record) ? (record as unknown[]) : [];
    const said = asString(data);
    if (typeof time !== "number" || typeof code !== "string" || said === undefined) {
      if (index === 0 || raw.trim() === "" || raw.startsWith("#")) continue;
      note("record_damaged", `${raw.length} characters are no event of a recording`, { line: index + 1 });
      log.context("env", raw);
      continue;
    }
    seconds = version >= 3 ? seconds + time : time;
    if (code === "o") shown += said;
    else if (code === "i") {
      typed += said;
      // A line is ended, or a key such as Ctrl-C stands for itself.
      if (/[^\P{Cc}\t]$/u.test(said)) flushInput();
    } else if (code === "m") {
      flushInput();
      flushOutput();
      log.beginTurn();
      isAnswered = true;
      log.text("agent", said, details());
    }
  }
  flushInput();
  if (shown !== "") flushOutput();
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
