import { runnersImage } from "../../scripts/lib/runners.mjs";
import { dockerSandbox } from "../../src/sandbox/docker.ts";
import { IMAGE } from "../../src/sandbox/image/recipe.ts";
import { attackContract } from "../attacks/contract.ts";
import { goAttacks } from "../attacks/go.ts";
import { jestAttacks } from "../attacks/jest.ts";
import { mochaAttacks } from "../attacks/mocha.ts";
import { vitestAttacks } from "../attacks/vitest.ts";

attackContract("docker", () => dockerSandbox({ image: runnersImage(IMAGE) }), {
  jest: jestAttacks,
  vitest: vitestAttacks,
  mocha: mochaAttacks,
  go: goAttacks,
});
