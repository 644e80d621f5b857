import { bubblewrapSandbox } from "../../src/sandbox/bubblewrap.ts";
import { checksContract } from "../contract/checks.ts";

checksContract("bubblewrap", () => bubblewrapSandbox());
