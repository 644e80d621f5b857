import { expect, test } from "vitest";
import { dockerSandbox } from "../../src/sandbox/docker.ts";
import { imagesContract } from "../contract/images.ts";

imagesContract("docker", () => dockerSandbox());

test("a runtime that the engine does not know is told before anything is run", async () => {
  expect(await dockerSandbox({ runtime: "nonesuch" }).describe()).toMatchObject({
    available: false,
    found: expect.stringMatching(/no runtime nonesuch, but .*runc/),
  });
});
