import { once } from "node:events";
import { frameParser } from "./docker-frames.ts";
import { SandboxFault, within } from "./fault.ts";
import { KEEPER_BLOCK } from "./scripts.ts";

/** The line to a container's main process (see KEEPER). One request at a time. */
export interface Keeper {
  put(folder: string, tar: AsyncIterable<Buffer>): Promise<void>;
  /** Processes, OOM kills and IPC objects in the container. */
  state(): Promise<[number, number, number]>;
  /** Whether the line is cut: the container has ended, or the engine is gone. */
  ended(): boolean;
}

const ANSWER_MS = 10_000;
const UNPACK_MS = 120_000;

export function openKeeper(line: NodeJS.ReadWriteStream): Keeper {
  let text = "";
  let said = "";
  let over = false;
  let wake: (() => void) | undefined;
  const notify = () => {
    wake?.();
    wake = undefined;
  };
  const parse = frameParser((stream, bytes) => {
    // The keeper says little; what an odd image makes of it must not pile up.
    if (stream === "stdout") text = (text + bytes.toString("utf8")).slice(0, 4096);
    else said = (said + bytes.toString("utf8")).slice(-500);
  });
  line.on("data", (chunk: Buffer) => {
    parse(chunk);
    notify();
  });
  const ended = new Promise<void>((resolve) => {
    for (const event of ["end", "close", "error"])
      line.on(event, () => {
        over = true;
        notify();
        resolve();
      });
  });

  // Podman takes what its client sends to ask for the line for the line's first bytes; they end here, unread.
  line.write("\n");

  const something = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  const lost = () =>
    new SandboxFault(
      "sandbox_failed",
      `the container ended before its time${said === "" ? "" : `: ${said.trim()}`}`,
    );

  const send = async (bytes: Buffer | string): Promise<void> => {
    if (over) throw lost();
    if (line.write(bytes)) return;
    await Promise.race([once(line, "drain").catch(() => {}), ended]);
  };
  const answer = async (): Promise<string> => {
    while (!text.includes("\n")) {
      if (over) throw lost();
      await something();
    }
    const [first = "", ...rest] = text.split("\n");
    text = rest.join("\n");
    return first;
  };

  return {
    async put(folder, tar) {
      await send(`put ${folder}\n`);
      for await (const piece of wholeBlocks(tar)) {
        await send(`${piece.length / KEEPER_BLOCK}\n`);
        await within(UNPACK_MS, "sending files", send(piece));
      }
      await send("0\n");
      const reply = await within(UNPACK_MS, "unpacking files", answer());
      if (reply !== "put ok")
        throw new SandboxFault(
          "sandbox_failed",
          `files cannot be laid in /input/${folder}: ${reply.slice(4)}`,
        );
    },
    async state() {
      await send("state\n");
      const reply = await within(ANSWER_MS, "the keeper's answer", answer());
      const match = /^state (\d+) (\d+) (\d+)$/.exec(reply);
      if (match === null)
        throw new SandboxFault("sandbox_failed", `the keeper answered ${JSON.stringify(reply)}`);
      return [Number(match[1]), Number(match[2]), Number(match[3])];
    },
    ended: () => over,
  };
}

/** The bytes in pieces of whole blocks; the last one is filled up with zeros, which tar takes for its end. */
async function* wholeBlocks(tar: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pending = Buffer.alloc(0);
  for await (const piece of tar) {
    pending = Buffer.concat([pending, piece]);
    const whole = pending.length - (pending.length % KEEPER_BLOCK);
    if (whole === 0) continue;
    yield pending.subarray(0, whole);
    pending = pending.subarray(whole);
  }
  if (pending.length > 0) yield Buffer.concat([pending, Buffer.alloc(KEEPER_BLOCK - pending.length)]);
}
