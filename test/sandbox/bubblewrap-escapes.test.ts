import { bubblewrapSandbox } from "../../src/sandbox/bubblewrap.ts";
import { escapeContract } from "../contract/escapes.ts";

escapeContract("bubblewrap", () => bubblewrapSandbox());
