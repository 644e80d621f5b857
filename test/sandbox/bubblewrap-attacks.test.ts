import { bubblewrapSandbox } from "../../src/sandbox/bubblewrap.ts";
import { attackContract } from "../attacks/contract.ts";
import { pytestAttacks } from "../attacks/pytest.ts";

// The other runners are tried in containers: what they report does not depend on what contains them.
attackContract("bubblewrap", () => bubblewrapSandbox(), { pytest: pytestAttacks });
