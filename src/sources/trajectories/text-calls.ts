import { asString, dig } from "../shape.ts";
import { type CallFacts, describeCall } from "./calls.ts";
import { describeAction } from "./sweagent.ts";

/** How a model without function calling writes its calls into its text. */
export type CallStyle = "xml" | "tags" | "fence";

/** A text with the calls that were in it; `said` is the rest. */
export interface Spoken {
  said: string;
  calls: CallFacts[];
}

/**
 * `xml` is `<function=name><parameter=key>value</parameter></function>` (OpenHands, SWE-smith, R2E-Gym), of which the
 * harness runs one a message; `tags` is `<tool_call>{"name", "arguments"}</tool_call>` (Hermes, Qwen), any number.
 */
export function styleOf(text: string): CallStyle | undefined {
  if (text.includes("<tool_call>")) return callsIn(text, "tags").calls.length > 0 ? "tags" : undefined;
  // At the end of the text: in the midst of it a model talks about the form.
  return /<\/function>\s*$/.test(text.slice(-200)) && callsIn(text, "xml").calls.length > 0
    ? "xml"
    : undefined;
}

export function callsIn(text: string, style: CallStyle): Spoken {
  if (style === "tags") return tagCalls(text);
  return (style === "xml" ? xmlCall(text) : fenceCall(text)) ?? { said: text, calls: [] };
}

function xmlCall(text: string): Spoken | undefined {
  const start = text.indexOf("<function=");
  const nameEnd = text.indexOf(">", start);
  if (start < 0 || nameEnd < 0) return undefined;
  const name = text.slice(start + "<function=".length, nameEnd).trim();
  if (!/^[\w.:-]{1,80}$/.test(name)) return undefined;
  // A model that stops at the closing tag does not write it.
  const close = text.indexOf("</function>", nameEnd);
  const end = close < 0 ? text.length : close;
  const body = text.slice(nameEnd + 1, end);
  // In other text about the form nothing or something else follows the name.
  if (!/^\s*<parameter=/.test(body) && (close < 0 || body.trim() !== "")) return undefined;
  const said = text.slice(0, start) + text.slice(close < 0 ? end : end + "</function>".length);
  return { said, calls: [describeCall(name, parametersOf(body))] };
}

function parametersOf(body: string): Record<string, string> {
  const found: [string, string][] = [];
  const open = "<parameter=";
  for (let at = body.indexOf(open); at >= 0;) {
    const nameEnd = body.indexOf(">", at);
    const close = nameEnd < 0 ? -1 : body.indexOf("</parameter>", nameEnd);
    if (nameEnd < 0) break;
    const value = body.slice(nameEnd + 1, close < 0 ? body.length : close);
    found.push([
      body.slice(at + open.length, nameEnd).trim(),
      value.replace(/^\r?\n/, "").replace(/\r?\n$/, ""),
    ]);
    at = close < 0 ? -1 : body.indexOf(open, close);
  }
  return Object.fromEntries(found);
}

function tagCalls(text: string): Spoken {
  const pieces = text.split("<tool_call>");
  const said = [pieces[0] ?? ""];
  const calls: CallFacts[] = [];
  for (const piece of pieces.slice(1)) {
    const [body = "", ...rest] = piece.split("</tool_call>");
    const call = xmlCall(body)?.calls[0] ?? jsonCall(body);
    if (call === undefined) said.push(`<tool_call>${piece}`);
    else {
      calls.push(call);
      said.push(rest.join("</tool_call>"));
    }
  }
  return { said: said.join(""), calls };
}

function jsonCall(body: string): CallFacts | undefined {
  try {
    const call: unknown = JSON.parse(body);
    const name = asString(dig(call, "name"));
    return name === undefined ? undefined : describeCall(name, dig(call, "arguments"));
  } catch {
    return undefined;
  }
}

/** The fenced block that ends the text, as SWE-agent's first prompts ask for it. */
function fenceCall(text: string): Spoken | undefined {
  const end = text.trimEnd().length - 3;
  const start = text.lastIndexOf("```", end - 1);
  if (end <= 0 || start < 0 || !text.startsWith("```", end)) return undefined;
  const action = text.slice(start + 3, end).replace(/^\w*\r?\n/, "");
  if (action.trim() === "") return undefined;
  return { said: text.slice(0, start), calls: [{ text: action.trimEnd(), ...describeAction(action) }] };
}

/** The results in a reply: the whole text, or each block of a reply in tags. */
export function resultsIn(text: string, style: CallStyle): string[] {
  if (style !== "tags" || !text.includes("<tool_response>")) return [text];
  return text
    .split("<tool_response>")
    .slice(1)
    .map((piece) => (piece.split("</tool_response>")[0] ?? "").replace(/^\r?\n/, "").replace(/\r?\n$/, ""));
}
