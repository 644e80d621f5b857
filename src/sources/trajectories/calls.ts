import { asString, everyString, firstText, isObject } from "../shape.ts";
import { wellFormed } from "../unicode.ts";
import { safeJson } from "./parts.ts";

/** What is known of a tool call, in the fields of a trajectory event. */
export interface CallFacts {
  text: string;
  tool?: string;
  arguments?: unknown;
  command?: string;
  path?: string;
}

/** Deeper arguments are kept as text only: walking or writing them could exhaust the stack. */
const MAX_DEPTH = 64;

const SHELL = /^(?:mcp__.*__)?(?:ba|z)?sh$|shell|terminal|exec|bash|^run(?:_cmd|_command)?$|^cmd$/i;
const PATH_KEYS = [
  "path",
  "file_path",
  "filePath",
  "filename",
  "file_name",
  "notebook_path",
  "target_file",
  "file",
];

/** A call by the tool's name and its arguments: an object, or the JSON text of one, which need not parse. */
export function describeCall(tool: string | undefined, given: unknown): CallFacts {
  const parsed = typeof given === "string" ? parseArguments(given) : given;
  const args = parsed === undefined || !isShallow(parsed, MAX_DEPTH) ? undefined : cleanStrings(parsed);
  const command = tool !== undefined && SHELL.test(tool) ? commandOf(args) : undefined;
  const facts: CallFacts = { text: command ?? asString(given) ?? safeJson(args ?? given) };
  const path = pathOf(args);
  if (tool !== undefined) facts.tool = wellFormed(tool);
  if (args !== undefined) facts.arguments = args;
  if (command !== undefined) facts.command = command;
  if (path !== undefined) facts.path = path;
  return facts;
}

/** True when the arguments were given as text that is not JSON. */
export function isUnparsed(given: unknown): boolean {
  return typeof given === "string" && given.trim() !== "" && parseArguments(given) === undefined;
}

const FINAL_TOOLS =
  /^(?:submit|finish|final_answer|complete|task_complete|mark_task_complete|attempt_completion)$/i;

/** True for a call that ends a run. */
export function isFinalCall(call: { tool?: string | undefined; command?: string | undefined }): boolean {
  return (
    FINAL_TOOLS.test(call.tool ?? "") ||
    /^submit\b|(?:COMPLETE_TASK_AND_SUBMIT|MINI_SWE_AGENT)_FINAL_OUTPUT/.test(call.command ?? "")
  );
}

function parseArguments(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `["bash", "-lc", "ls"]` is the command `ls`. */
function commandOf(args: unknown): string | undefined {
  if (!isObject(args)) return undefined;
  const given = args["command"] ?? args["cmd"] ?? args["script"] ?? args["keystrokes"];
  if (!Array.isArray(given)) return firstText(given);
  const words = given.filter((word): word is string => typeof word === "string");
  const wrapped = words.length === 3 && /^-\w*c$/.test(words[1] ?? "");
  return firstText(wrapped ? words[2] : words.join(" "));
}

function pathOf(args: unknown): string | undefined {
  return isObject(args) ? firstText(...PATH_KEYS.map((key) => args[key])) : undefined;
}

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((item) => isShallow(item, depth - 1));
}

/** The value with lone surrogates replaced; itself when there are none, as nearly always. */
function cleanStrings(value: unknown): unknown {
  if (everyString(value, (text) => text.isWellFormed())) return value;
  if (typeof value === "string") return wellFormed(value);
  if (Array.isArray(value)) return value.map(cleanStrings);
  if (!isObject(value)) return value;
  // fromEntries defines `__proto__` as a plain key, an assignment would not.
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [wellFormed(key), cleanStrings(item)]),
  );
}
