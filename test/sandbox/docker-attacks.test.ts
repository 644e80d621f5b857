import { dockerSandbox } from "../../src/sandbox/docker.ts";
import { attackContract, honestContract, loneContract } from "../attacks/contract.ts";
import { customAttacks } from "../attacks/custom.ts";
import { nodeAttacks } from "../attacks/node.ts";
import { pytestAttacks } from "../attacks/pytest.ts";
import { unittestAttacks } from "../attacks/unittest.ts";

const make = () => dockerSandbox();
attackContract("docker", make, {
  pytest: pytestAttacks,
  unittest: unittestAttacks,
  node: nodeAttacks,
  custom: customAttacks,
});
honestContract("docker", make);
loneContract("docker", make, pytestAttacks);
