import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** What the endpoint saw of one request. */
export interface Seen {
  messages: { role: string; content: unknown; tool_calls?: unknown[]; tool_call_id?: string }[];
  tools: { function: { name: string } }[];
}

/** One answer: calls or text, an HTTP error, or silence. */
export type Reply =
  | { calls: { name: string; args: Record<string, unknown> | string }[]; text?: string }
  | { text: string; finish?: string }
  | { status: number; message: string; headers?: Record<string, string> }
  | "silence";

export interface FakeOpenAI extends AsyncDisposable {
  url: string;
  seen: Seen[];
}

/** A chat-completions endpoint on loopback that answers by script: the nearest thing to a provider that runs here. */
export async function fakeOpenAI(script: (request: Seen, index: number) => Reply): Promise<FakeOpenAI> {
  const seen: Seen[] = [];
  const server: Server = createServer((request, response) => {
    void body(request).then((text) => {
      const parsed = JSON.parse(text) as Seen;
      const index = seen.push(parsed) - 1;
      const reply = script(parsed, index);
      if (reply === "silence") return;
      if ("status" in reply) {
        response.writeHead(reply.status, { "content-type": "application/json", ...reply.headers });
        response.end(JSON.stringify({ error: { message: reply.message, type: "error", code: null } }));
        return;
      }
      const calls = "calls" in reply ? reply.calls : [];
      const message = {
        role: "assistant",
        content: reply.text ?? null,
        ...(calls.length === 0
          ? {}
          : {
              tool_calls: calls.map(({ name, args }, n) => ({
                id: `call_${index}_${n}`,
                type: "function",
                function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
              })),
            }),
      };
      const finish = "finish" in reply ? reply.finish : calls.length > 0 ? "tool_calls" : "stop";
      response.writeHead(200, { "content-type": "application/json" });
      response.end(
        JSON.stringify({
          id: `r${index}`,
          object: "chat.completion",
          created: 0,
          model: "fake",
          choices: [{ index: 0, message, finish_reason: finish }],
          usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
        }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function body(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}
