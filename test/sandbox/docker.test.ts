import { connectEngine } from "../../src/sandbox/docker-engine.ts";
import { LABEL } from "../../src/sandbox/docker-options.ts";
import { dockerSandbox } from "../../src/sandbox/docker.ts";
import { sandboxContract } from "../contract/sandbox.ts";

sandboxContract("docker", {
  make: () => dockerSandbox(),
  leftovers: async () => {
    const engine = await connectEngine();
    return (await engine.listContainers({ all: true, filters: { label: [LABEL] } })).map(({ Id }) => Id);
  },
});
