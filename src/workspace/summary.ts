import type { TrajectoryEvent } from "../schema/trajectory.ts";
import type { EventSummary } from "./types.ts";

const MAX_ABOUT = 160;

/** Builds a trajectory's summary from its events as they pass by. Deterministic: no event's content is judged. */
export function summarizer(): { add(event: TrajectoryEvent): void; rows: EventSummary[] } {
  const rows: EventSummary[] = [];
  const calls = new Map<string, EventSummary>();
  return {
    rows,
    add(event) {
      const bytes = Buffer.byteLength(event.text);
      const call = event.call === undefined ? undefined : calls.get(event.call);
      if (event.kind === "observation" && call !== undefined) {
        call.outcome = event.status ?? "ok";
        if (event.exit_code !== undefined) call.exit_code = event.exit_code;
        call.bytes += bytes;
        return;
      }
      const row: EventSummary = {
        id: event.id,
        turn: event.turn,
        kind: event.kind,
        role: event.role,
        about: about(event),
        bytes,
      };
      if (event.kind === "call") {
        row.bytes = 0;
        row.outcome = "missing";
        calls.set(event.id, row);
      } else if (event.exit_code !== undefined) row.exit_code = event.exit_code;
      rows.push(row);
    },
  };
}

function about(event: TrajectoryEvent): string {
  const target = event.kind === "call" ? (event.command ?? event.path ?? event.text) : event.text;
  const line = target.trimStart().split("\n", 1)[0] ?? "";
  const more = target.trim().length > Math.min(line.length, MAX_ABOUT);
  const short = line.slice(0, MAX_ABOUT).trimEnd() + (more ? " …" : "");
  return event.kind === "call" && event.tool !== undefined ? `${event.tool}: ${short}` : short;
}
