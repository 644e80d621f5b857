import { connectEngine } from "../../src/sandbox/docker-engine.ts";
import { OWNER, OWNER_LABEL } from "../../src/sandbox/docker-options.ts";
import { dockerSandbox } from "../../src/sandbox/docker.ts";
import { sandboxContract } from "../contract/sandbox.ts";

process.env["DOCKER_HOST"] = process.env["GAGAR_PODMAN_HOST"];

sandboxContract("docker, in Podman", {
  make: () => dockerSandbox(),
  engine: "podman",
  leftovers: async () => {
    const engine = await connectEngine();
    const label = [`${OWNER_LABEL}=${OWNER}`];
    const containers = await engine.listContainers({ all: true, filters: { label } });
    const { Volumes } = await engine.listVolumes({ filters: JSON.stringify({ label }) });
    return [...containers.map(({ Id }) => Id), ...Volumes.map(({ Name }) => Name)];
  },
});
