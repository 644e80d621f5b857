// Every performance claim of the project, measured beside a named baseline in the same run.
import { benchAgent } from "./agent.mjs";
import { benchOffline } from "./offline.mjs";
import { benchReading } from "./reading.mjs";
import { benchReadingMemory } from "./reading-memory.mjs";
import { benchRedistribute } from "./redistribute.mjs";
import { benchSandbox } from "./sandbox.mjs";

const kept = [
  benchRedistribute(),
  benchReading(),
  await benchReadingMemory(),
  await benchOffline(),
  await benchAgent(),
  await benchSandbox(),
];
process.exit(kept.every(Boolean) ? 0 : 1);
