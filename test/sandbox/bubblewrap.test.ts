import { bubblewrapSandbox } from "../../src/sandbox/bubblewrap.ts";
import { sandboxContract } from "../contract/sandbox.ts";
import { ownProcesses } from "../helpers/processes.ts";

sandboxContract("bubblewrap", {
  make: () => bubblewrapSandbox(),
  leftovers: ownProcesses,
});
