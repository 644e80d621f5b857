import type { TrajectoryEvent } from "../../schema/trajectory.ts";
import { asList, asString, dig } from "../shape.ts";

/**
 * Which line of the conversation each line of a Claude Code session belongs to. `parentUuid` makes a tree: the way up
 * from the last line is the main line, and what forks off from it was abandoned. Lines that no way connects (after a
 * compaction, a resumption or damage) are the main line in file order.
 */
export function branchesOf(lines: unknown[]): TrajectoryEvent["branch"][] {
  const byUuid = new Map<string, number>();
  lines.forEach((line, index) => {
    const uuid = asString(dig(line, "uuid"));
    if (uuid !== undefined) byUuid.set(uuid, index);
  });
  const main = new Set<number>();
  const leaf = lines.findLastIndex((line) => isTurn(line) && !isSide(line));
  for (let at: number | undefined = leaf; at !== undefined && at >= 0 && !main.has(at); at = parentOf(at))
    main.add(at);

  const owners = ownersOf(lines);
  const forks = new Map<number, boolean>();
  return lines.map((line, index) => {
    if (isSide(line)) return "sidechain";
    return isTurn(line) && isFork(owners[index] ?? index) ? "abandoned" : undefined;
  });

  function parentOf(index: number): number | undefined {
    const line = lines[index];
    const parent = asString(dig(line, "parentUuid")) ?? asString(dig(line, "logicalParentUuid"));
    return parent === undefined ? undefined : byUuid.get(parent);
  }

  /** True when the way up from a line that is not on the main line meets it. */
  function isFork(start: number): boolean {
    const way = new Set<number>();
    let at: number | undefined = start;
    let result = false;
    while (at !== undefined && !way.has(at)) {
      const known = forks.get(at);
      if (known !== undefined || main.has(at)) {
        result = known ?? way.size > 0;
        break;
      }
      way.add(at);
      at = parentOf(at);
    }
    for (const index of way) forks.set(index, result);
    return result;
  }

  /** The line that decides for a line: parts of one completion and the results of its calls stay together. */
  function ownersOf(all: unknown[]): (number | undefined)[] {
    const byMessage = new Map<string, number>();
    const byCall = new Map<string, number>();
    all.forEach((line, index) => {
      const id = dig(line, "type") === "assistant" ? asString(dig(line, "message", "id")) : undefined;
      if (id === undefined) return;
      if (!byMessage.has(id) || main.has(index)) byMessage.set(id, index);
      for (const block of asList(dig(line, "message", "content"))) {
        const call = asString(dig(block, "id"));
        if (call !== undefined) byCall.set(call, index);
      }
    });
    return all.map((line) => {
      const id = asString(dig(line, "message", "id"));
      if (id !== undefined) return byMessage.get(id);
      for (const block of asList(dig(line, "message", "content"))) {
        const call = byCall.get(asString(dig(block, "tool_use_id")) ?? "");
        if (call !== undefined) return byMessage.get(asString(dig(all[call], "message", "id")) ?? "");
      }
      return undefined;
    });
  }
}

function isTurn(line: unknown): boolean {
  const type = dig(line, "type");
  return type === "user" || type === "assistant";
}

function isSide(line: unknown): boolean {
  return dig(line, "isSidechain") === true || typeof dig(line, "parent_tool_use_id") === "string";
}
