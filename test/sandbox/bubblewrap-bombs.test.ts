import { bubblewrapSandbox } from "../../src/sandbox/bubblewrap.ts";
import { bombContract } from "../contract/bombs.ts";
import { ownProcesses } from "../helpers/processes.ts";

bombContract("bubblewrap", { make: () => bubblewrapSandbox(), leftovers: ownProcesses });
