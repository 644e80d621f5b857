import { join } from "node:path";
import { MemorySaver, type BaseCheckpointSaver } from "@langchain/langgraph";

export interface Checkpointer {
  saver: BaseCheckpointSaver;
  /** False when the state is kept in memory alone: a killed grading then goes on from its transcript. */
  durable: boolean;
  close(): void;
}

/** State after every step, in the workspace's own SQLite file where the optional package is installed. */
export async function openCheckpointer(dir: string): Promise<Checkpointer> {
  const sqlite = await import("@langchain/langgraph-checkpoint-sqlite").catch(() => undefined);
  if (sqlite === undefined) return { saver: new MemorySaver(), durable: false, close() {} };
  const saver = sqlite.SqliteSaver.fromConnString(join(dir, "checkpoints.sqlite"));
  return { saver, durable: true, close: () => void saver.db.close() };
}
