import { dockerSandbox } from "../../src/sandbox/docker.ts";
import { imagesContract } from "../contract/images.ts";

imagesContract("docker", () => dockerSandbox());
