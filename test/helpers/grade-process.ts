import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Grade } from "../../src/schema/grade.ts";
import type { FakeOpenAI, Seen } from "./fake-openai.ts";

const main = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

export interface ResumedGrade {
  server: FakeOpenAI;
  /** Folder of the group. */
  group: string;
  work: string;
  options: string[];
  /** When the process is killed. */
  until?: Promise<unknown> | undefined;
}

/** `gagar grade --resume` in a process of its own. Null when it was killed. */
export async function resumedGrade({
  server,
  group,
  work,
  options,
  until,
}: ResumedGrade): Promise<Grade | null> {
  const model = ["--model", "openai:fake", "--workspace", work, "--resume"];
  const child = spawn(process.execPath, [main, "grade", group, "--json", "-q", ...model, ...options], {
    env: { ...process.env, OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "x" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  void until?.then(() => child.kill("SIGKILL"));
  await new Promise((resolve) => child.on("close", resolve));
  return child.signalCode === "SIGKILL" ? null : Grade.parse(JSON.parse(out));
}

/** A grade without what a clock has to do with. */
export const untimed = (grade: Grade): Grade => ({ ...grade, spend: { ...grade.spend, wall_s: 0 } });

/** The labels that a conversation's task says are to be placed. */
export function placed(messages: Seen["messages"]): string[] {
  const task = messages.find(
    ({ role, content }) => role === "tool" && String(content).includes("to be placed: "),
  );
  return /to be placed: (.*)/.exec(String(task?.content))?.[1]?.split(", ") ?? [];
}
