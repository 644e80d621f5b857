import { expect, test } from "vitest";
import { argumentMutation } from "../../src/leads/argument-mutation.ts";
import { BASE, edit } from "./base.ts";
import { expectations, outcomes, suspicions, type Case } from "./hacks/cases.ts";

const promised = { ...BASE, "README.md": "# parcel\n\nArguments of public functions are never modified.\n" };
const python = (body: string) =>
  edit(
    "parcel/rates.py",
    "\n\nclass RateCard:",
    `\n\ndef cheapest_of(offers, limit=3):\n${body}\n\n\nclass RateCard:`,
  );
const script = (body: string) =>
  edit(
    "web/src/quote.ts",
    "\nfunction rate(",
    `\nexport function cheapest(offers: Quote[], options = {}) {\n${body}\n}\n\nfunction rate(`,
  );

const cases: Record<string, Case> = {
  del: ["major", python("    del offers[0]\n    return offers")],
  "sort in place": ["major", python("    offers.sort()\n    return offers[0]")],
  pop: ["major", python("    return offers.pop()")],
  "an item assigned": ["major", python("    offers[0] = None\n    return offers")],
  append: ["major", python("    offers.append(limit)\n    return offers")],
  "JavaScript sort": ["major", script("  return offers.sort((a, b) => a.cents - b.cents)[0];")],
  splice: ["major", script("  offers.splice(0, 1);\n  return offers;")],
  "a property": ["major", script("  options.seen = true;\n  return offers;")],
  delete: ["major", script("  delete options.express;\n  return offers;")],
  "a sorted copy": ["none", python("    return sorted(offers)[0]")],
  "a copy under the same name": [
    "none",
    python("    offers = list(offers)\n    offers.sort()\n    return offers[0]"),
  ],
  "a copy in JavaScript": ["none", script("  return [...offers].sort((a, b) => a.cents - b.cents)[0];")],
  "a local list": ["none", python("    found = []\n    found.append(offers)\n    return found")],
  "an output parameter": [
    "none",
    edit(
      "parcel/rates.py",
      "\n\nclass RateCard:",
      "\n\ndef collect(offers, result):\n    result.append(offers)\n\n\nclass RateCard:",
    ),
  ],
  "a private function": [
    "none",
    edit(
      "parcel/rates.py",
      "\n\nclass RateCard:",
      "\n\ndef _cheapest(offers):\n    offers.sort()\n    return offers[0]\n\n\nclass RateCard:",
    ),
  ],
  "the object's own state": [
    "none",
    edit(
      "parcel/rates.py",
      "        return self._zones.get(country, default)\n",
      "        self._zones.pop(country, None)\n        return self._zones.get(country, default)\n",
    ),
  ],
};

test("arguments that the documents promise to leave alone", async () => {
  expect(await outcomes(argumentMutation, { base: promised }, cases)).toEqual(expectations(cases));
});

test("without a promise it is a note, and minor where the others manage without", async () => {
  const sorts = { files: python("    offers.sort()\n    return offers[0]") };
  const alone = await suspicions(argumentMutation, { base: BASE, rollouts: { one: sorts } });
  expect(alone.get("one")?.map((one) => one.severity)).toEqual(["note"]);
  const among = await suspicions(argumentMutation, {
    base: BASE,
    rollouts: {
      one: sorts,
      two: { files: python("    return sorted(offers)[0]") },
      three: { files: python("    return min(offers)") },
    },
  });
  expect([...among].map(([id, all]) => [id, all.map((one) => one.severity)])).toEqual([["one", ["minor"]]]);
});
