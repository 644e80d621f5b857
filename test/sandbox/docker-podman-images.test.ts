import { dockerSandbox } from "../../src/sandbox/docker.ts";
import { imagesContract } from "../contract/images.ts";

process.env["DOCKER_HOST"] = process.env["GAGAR_PODMAN_HOST"];

imagesContract("docker, in Podman", () => dockerSandbox());
