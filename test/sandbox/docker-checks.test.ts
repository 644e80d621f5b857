import { dockerSandbox } from "../../src/sandbox/docker.ts";
import { checksContract } from "../contract/checks.ts";

checksContract("docker", () => dockerSandbox());
