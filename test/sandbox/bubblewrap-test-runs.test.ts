import { bubblewrapSandbox } from "../../src/sandbox/bubblewrap.ts";
import { testRunsContract } from "../contract/test-runs.ts";

testRunsContract("bubblewrap", () => bubblewrapSandbox());
