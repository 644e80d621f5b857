import type { TrajectoryEvent } from "../../schema/trajectory.ts";

export interface OpenCall {
  event: TrajectoryEvent;
  /** The format's own id of the call. */
  nativeId: string | undefined;
  isAnswered: boolean;
}

/** Calls in order. What is answered is skipped once and never looked at again: files have 100,000 calls in a turn. */
interface Queue {
  calls: OpenCall[];
  head: number;
}

interface OfTurn {
  all: Queue;
  /** Those without an id of their own. */
  bare?: Queue;
}

interface OfId {
  /** In the order of the file; answered ones are dropped from its end. */
  stack: OpenCall[];
  /** Only for an id that repeats. */
  byTurn?: Map<number, Queue>;
}

/** The calls of a trajectory that no result has answered yet. */
export class OpenCalls {
  readonly #turns = new Map<number, OfTurn>();
  readonly #ids = new Map<string, OfId>();

  add(event: TrajectoryEvent, nativeId: string | undefined): void {
    const call: OpenCall = { event, nativeId, isAnswered: false };
    const turn = getOrAdd(this.#turns, event.turn, (): OfTurn => ({ all: emptyQueue() }));
    turn.all.calls.push(call);
    if (nativeId === undefined) {
      (turn.bare ??= emptyQueue()).calls.push(call);
      return;
    }
    const named = getOrAdd(this.#ids, nativeId, (): OfId => ({ stack: [] }));
    const [first] = named.stack;
    if (first !== undefined) named.byTurn ??= new Map([[first.event.turn, { calls: [first], head: 0 }]]);
    if (named.byTurn !== undefined) getOrAdd(named.byTurn, event.turn, emptyQueue).calls.push(call);
    named.stack.push(call);
  }

  /** True when a call of the turn has no result yet. */
  isWaiting(turn: number): boolean {
    return firstOf(this.#turns.get(turn)?.all) !== undefined;
  }

  /**
   * The call that a result answers, no longer open. An id that repeats means the first open call of the latest turn.
   * By order inside `turn` only where one side has no id: a result with another id than the call answers something else.
   */
  take(turn: number, nativeId: string | undefined): TrajectoryEvent | undefined {
    const inTurn = this.#turns.get(turn);
    const call = this.#named(nativeId) ?? firstOf(nativeId === undefined ? inTurn?.all : inTurn?.bare);
    if (call !== undefined) call.isAnswered = true;
    return call?.event;
  }

  /** What no result came for, turn by turn. */
  unanswered(): TrajectoryEvent[] {
    const all = [...this.#turns.values()].flatMap((turn) => turn.all.calls);
    return all.filter(({ isAnswered }) => !isAnswered).map(({ event }) => event);
  }

  #named(nativeId: string | undefined): OpenCall | undefined {
    const named = nativeId === undefined ? undefined : this.#ids.get(nativeId);
    while (named?.stack.at(-1)?.isAnswered === true) named.stack.pop();
    const latest = named?.stack.at(-1);
    if (latest === undefined || named?.byTurn === undefined) return latest;
    return firstOf(named.byTurn.get(latest.event.turn));
  }
}

function emptyQueue(): Queue {
  return { calls: [], head: 0 };
}

function firstOf(queue: Queue | undefined): OpenCall | undefined {
  if (queue === undefined) return undefined;
  while (queue.calls[queue.head]?.isAnswered === true) queue.head++;
  return queue.calls[queue.head];
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
