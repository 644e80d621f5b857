// Every performance claim of the project, measured beside a named baseline in the same run.
import { benchOffline } from "./offline.mjs";
import { benchRedistribute } from "./redistribute.mjs";

const kept = [benchRedistribute(), await benchOffline()];
process.exit(kept.every(Boolean) ? 0 : 1);
