import type { TrajectoryEvent } from "../../schema/trajectory.ts";
import type { Note } from "../notes.ts";
import { optional } from "../shape.ts";
import { wellFormed } from "../unicode.ts";
import { type CallFacts, isFinalCall } from "./calls.ts";
import { OpenCalls } from "./open-calls.ts";

type Role = TrajectoryEvent["role"];
type Kind = TrajectoryEvent["kind"];

/** What a format may know about an event beside its text. */
export interface Details {
  timestamp?: string | undefined;
  branch?: TrajectoryEvent["branch"] | undefined;
}

export interface Seen extends Details {
  /** The format's own id of the call that is answered. */
  nativeId?: string | undefined;
  status?: TrajectoryEvent["status"] | undefined;
  exitCode?: number | undefined;
}

const LETTERS = { text: "m", reasoning: "r", call: "c", observation: "o", context: "x" } as const;

/**
 * Collects the events of one trajectory and gives them their ids in reading order. One completion of the model is one
 * turn; turn 0 is what came before the first. A result finds its call by id, else by order inside the turn.
 */
export class EventLog {
  readonly #turns: TrajectoryEvent[][] = [[]];
  readonly #counts: Partial<Record<Kind, number>>[] = [{}];
  readonly #turnOf = new Map<string, number>();
  readonly #open = new OpenCalls();
  #turn = 0;

  /** Begins the turn of a completion; one that comes in pieces gives the same `key` again and goes on in its turn. */
  beginTurn(key?: string): void {
    const known = key === undefined ? undefined : this.#turnOf.get(key);
    this.#turn = known ?? this.#turns.push([]) - 1;
    if (known !== undefined) return;
    this.#counts.push({});
    if (key !== undefined) this.#turnOf.set(key, this.#turn);
  }

  /** The current turn. */
  get turn(): number {
    return this.#turn;
  }

  /** Blank text is no event. */
  text(role: Role, text: string, details: Details = {}): void {
    if (text.trim() !== "") this.#add(this.#turn, "text", role, text, details);
  }

  reasoning(text: string, details: Details = {}): void {
    if (text.trim() !== "") this.#add(this.#turn, "reasoning", "agent", text, details);
  }

  /** Something that is neither the agent's doing nor a result: a summary, a note of the harness, a damaged stretch. */
  context(role: Role, text: string, details: Details = {}): void {
    if (text.trim() !== "") this.#add(this.#turn, "context", role, text, details);
  }

  call(facts: CallFacts, nativeId?: string, details: Details = {}): void {
    const { text, ...more } = facts;
    const event = this.#add(this.#turn, "call", "agent", text, details);
    Object.assign(event, more);
    this.#open.add(event, nativeId);
  }

  /** True when a call of the current turn has no result yet. */
  get awaitsResult(): boolean {
    return this.#open.isWaiting(this.#turn);
  }

  observe(text: string, { nativeId, status, exitCode, ...details }: Seen = {}): void {
    const call = this.#open.take(this.#turn, nativeId);
    const event = this.#add(call?.turn ?? this.#turn, "observation", "env", text, details);
    if (call !== undefined) event.call = call.id;
    Object.assign(event, optional("status", status), optional("exit_code", exitCode));
  }

  /**
   * All events in order. Calls that nothing answered get a result that is marked as missing, but for a last call that
   * ends the run: nothing has to answer it.
   */
  finish(note: Note): TrajectoryEvent[] {
    const events = this.#turns.flat();
    const last = events.findLast(({ kind, branch }) => kind === "call" && branch === undefined);
    const missing = this.#open.unanswered().filter((event) => event !== last || !isFinalCall(event));
    for (const event of missing) {
      const gap = this.#add(event.turn, "observation", "env", "", optional("branch", event.branch));
      Object.assign(gap, { call: event.id, status: "missing" });
    }
    const orphans = events.filter((event) => event.kind === "observation" && event.call === undefined);
    if (missing.length > 0)
      note("call_unanswered", `no result recorded for ${listed(missing.map(({ id }) => id))}`);
    if (orphans.length > 0)
      note("result_without_call", `no call recorded for ${listed(orphans.map((event) => event.id))}`);
    return this.#turns.flat();
  }

  #add(turn: number, kind: Kind, role: Role, text: string, details: Details): TrajectoryEvent {
    const counts = this.#counts[turn] ?? {};
    const n = (counts[kind] ?? 0) + 1;
    counts[kind] = n;
    const event: TrajectoryEvent = {
      id: `t${turn}.${LETTERS[kind]}${n}`,
      turn,
      kind,
      role,
      text: wellFormed(text),
      ...optional("timestamp", details.timestamp),
      ...optional("branch", details.branch),
    };
    this.#turns[turn]?.push(event);
    return event;
  }
}

function listed(ids: string[]): string {
  return ids.length > 8 ? `${ids.slice(0, 8).join(", ")} and ${ids.length - 8} more` : ids.join(", ");
}
