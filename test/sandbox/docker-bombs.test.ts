import { connectEngine } from "../../src/sandbox/docker-engine.ts";
import { OWNER, OWNER_LABEL } from "../../src/sandbox/docker-options.ts";
import { dockerSandbox } from "../../src/sandbox/docker.ts";
import { bombContract } from "../contract/bombs.ts";

bombContract("docker", {
  make: () => dockerSandbox(),
  /** Containers with the volumes that the engine gave them: there must be none of these. */
  leftovers: async () => {
    const engine = await connectEngine();
    const label = [`${OWNER_LABEL}=${OWNER}`];
    const containers = await engine.listContainers({ all: true, filters: { label } });
    return containers.flatMap(({ Id, Mounts }) => [Id, ...Mounts.map((mount) => JSON.stringify(mount))]);
  },
});
