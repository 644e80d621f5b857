import { bubblewrapSandbox } from "../../src/sandbox/bubblewrap.ts";
import { attackContract, honestContract, loneContract } from "../attacks/contract.ts";
import { nodeAttacks } from "../attacks/node.ts";
import { pytestAttacks } from "../attacks/pytest.ts";
import { unittestAttacks } from "../attacks/unittest.ts";

const make = () => bubblewrapSandbox();
attackContract("bubblewrap", make, { pytest: pytestAttacks, unittest: unittestAttacks, node: nodeAttacks });
honestContract("bubblewrap", make);
loneContract("bubblewrap", make, pytestAttacks);
