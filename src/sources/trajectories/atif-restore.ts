import { TrajectoryEvent } from "../../schema/trajectory.ts";
import { asList, dig, isObject } from "../shape.ts";
import { REST_VERSION } from "./atif-write.ts";

/**
 * The events of a document that `writeAtif` wrote, exactly as they were, or undefined for any other document: also for
 * one whose parts do not fit together, which is then read like anyone's.
 */
export function restoreEvents(root: unknown): TrajectoryEvent[] | undefined {
  if (dig(root, "extra", "gagar", "version") !== REST_VERSION) return undefined;
  const events: TrajectoryEvent[] = [];
  const ids = new Set<string>();
  for (const step of asList(dig(root, "steps")))
    for (const value of restoreStep(step)) {
      const event = TrajectoryEvent.safeParse(value);
      if (!event.success || ids.has(event.data.id)) return undefined;
      ids.add(event.data.id);
      events.push(event.data);
    }
  return events;
}

function* restoreStep(step: unknown): Generator {
  const calls = asList(dig(step, "tool_calls")).values();
  const results = asList(dig(step, "observation", "results")).values();
  const rests = dig(step, "extra", "gagar");
  if (!Array.isArray(rests)) yield undefined;
  for (const value of asList(rests)) {
    if (!isObject(value)) yield undefined;
    const { from, plain, ...rest } = isObject(value) ? value : {};
    if (from === "message" || from === "reasoning_content") yield { ...rest, text: dig(step, from) };
    else if (from === "results") yield { ...rest, text: dig(results.next().value, "content") };
    else if (from === "tool_calls") {
      const call: unknown = calls.next().value;
      yield plain === true ? { ...rest, arguments: dig(call, "arguments") } : rest;
    } else yield rest;
  }
}
