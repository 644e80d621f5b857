import { dockerSandbox } from "../../src/sandbox/docker.ts";
import { attackContract, honestContract, loneContract } from "../attacks/contract.ts";
import { nodeAttacks } from "../attacks/node.ts";
import { pytestAttacks } from "../attacks/pytest.ts";
import { unittestAttacks } from "../attacks/unittest.ts";

const make = () => dockerSandbox();
attackContract("docker", make, { pytest: pytestAttacks, unittest: unittestAttacks, node: nodeAttacks });
honestContract("docker", make);
loneContract("docker", make, pytestAttacks);
