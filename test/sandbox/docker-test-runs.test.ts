import { dockerSandbox } from "../../src/sandbox/docker.ts";
import { testRunsContract } from "../contract/test-runs.ts";

testRunsContract("docker", () => dockerSandbox());
