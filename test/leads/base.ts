import type { Files } from "../helpers/workspace.ts";

/** A small invented project in several languages that the tables of the quality detectors change. */
export const BASE: Files = {
  "README.md": "# parcel\n\nRates for parcels.\n",
  "CHANGELOG.md": "# Changes\n\n## Unreleased\n",
  "parcel/__init__.py": "from .rates import price\n",
  "parcel/rates.py": `"""Prices of parcels."""
from .zones import zone_of

BASE_PRICE = 400


def price(weight, country, express=False):
    """Price in cents of a parcel of weight grams."""
    if weight <= 0:
        raise ValueError("weight must be positive")
    zone = zone_of(country)
    steps = -(-weight // 500)
    total = BASE_PRICE + steps * zone.per_step
    if express:
        total = total * 3 // 2
    return total


class RateCard:
    def __init__(self, zones):
        self._zones = dict(zones)

    def lookup(self, country, default=None):
        return self._zones.get(country, default)

    def cheapest(self, countries):
        rated = [(self._zones[name].per_step, name) for name in countries if name in self._zones]
        return min(rated)[1] if rated else None
`,
  "parcel/zones.py": `"""Zones that countries belong to."""


def clean_code(text):
    """Country code as the tables spell it."""
    return text.strip().replace(".", "").upper()[:2]


def zone_of(country):
    code = clean_code(country)
    return TABLE[code]


TABLE = {}
`,
  "parcel/cli.py":
    "import sys\n\nfrom .rates import price\n\n\ndef main(argv):\n    print(price(int(argv[1]), argv[2]))\n    return 0\n",
  "tests/test_rates.py": `from parcel.rates import price


def test_price():
    assert price(1200, "NO") == 1630
    assert price(500, "Svalbard") == 975
`,
  "web/package.json": '{ "name": "parcel-web", "type": "module", "version": "1.0.0" }\n',
  "web/src/quote.ts": `import { zones } from "./zones.js";

export interface Quote {
  cents: number;
  zone: string;
}

/** Quote for one parcel. */
export function quote(grams: number, country: string, options: { express?: boolean } = {}): Quote {
  const zone = zones[country] ?? "far";
  const steps = Math.ceil(grams / 500);
  const cents = 400 + steps * rate(zone);
  return { cents: options.express ? Math.round(cents * 1.5) : cents, zone };
}

function rate(zone: string): number {
  return zone === "near" ? 90 : 240;
}

export function parseWeight(text: string): number {
  const match = /^(\\d+)\\s*(g|kg)$/.exec(text.trim().toLowerCase());
  if (match === null) throw new TypeError("not a weight: " + text);
  return match[2] === "kg" ? Number(match[1]) * 1000 : Number(match[1]);
}
`,
  "web/src/zones.js": `export const zones = { NO: "near", JP: "far" };

export class ZoneMap {
  #entries = new Map();

  constructor(entries) {
    for (const [code, zone] of entries) this.#entries.set(code, zone);
  }

  find(code) {
    return this.#entries.get(code.trim().toUpperCase());
  }
}
`,
  "web/test/quote.test.js":
    'import { quote } from "../src/quote.js";\ntest("quote", () => expect(quote(1200, "NO").cents).toBe(670));\n',
  "go/rates.go": `package rates

import "errors"

// ErrWeight is returned for parcels without weight.
var ErrWeight = errors.New("weight must be positive")

// Price returns the price in cents.
func Price(grams int, zone Zone) (int, error) {
	if grams <= 0 {
		return 0, ErrWeight
	}
	steps := (grams + 499) / 500
	return 400 + steps*zone.PerStep, nil
}

// Load reads zones from lines.
func Load(lines []string) (map[string]Zone, error) {
	zones := map[string]Zone{}
	for _, line := range lines {
		zone, err := parse(line)
		if err != nil {
			return nil, err
		}
		zones[zone.Code] = zone
	}
	return zones, nil
}
`,
  "java/src/Rates.java": `package parcel;

import java.util.Map;

public class Rates {
    private final Map<String, Integer> zones;

    public Rates(Map<String, Integer> zones) {
        this.zones = zones;
    }

    public int price(int grams, String country) {
        int steps = (grams + 499) / 500;
        return 400 + steps * zones.get(country);
    }

    private static String clean(String code) {
        return code.trim().toUpperCase();
    }
}
`,
  "rust/src/lib.rs": `pub fn price(grams: u32, per_step: u32) -> u32 {
    let steps = grams.div_ceil(500);
    400 + steps * per_step
}
`,
  "ruby/lib/rates.rb": `class Rates
  def price(grams, country)
    steps = (grams / 500.0).ceil
    400 + steps * zone(country)
  end
end
`,
};

/** A file of the base with one piece of its text replaced. Throws when the piece is not there exactly once. */
export function edit(path: string, from: string, to: string): Files {
  const text = BASE[path];
  if (text === undefined || text === null || text.split(from).length !== 2)
    throw new Error(`${path} does not hold this text once: ${from}`);
  return { [path]: text.replace(from, () => to) };
}
