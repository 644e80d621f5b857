import { connectEngine } from "../../src/sandbox/docker-engine.ts";
import { OWNER, OWNER_LABEL } from "../../src/sandbox/docker-options.ts";
import { dockerSandbox } from "../../src/sandbox/docker.ts";
import { sandboxContract } from "../contract/sandbox.ts";

sandboxContract("docker", {
  make: () => dockerSandbox(),
  leftovers: async () => {
    const engine = await connectEngine();
    return (await engine.listContainers({ all: true, filters: { label: [`${OWNER_LABEL}=${OWNER}`] } })).map(
      ({ Id }) => Id,
    );
  },
});
