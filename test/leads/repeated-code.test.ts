import { expect, test } from "vitest";
import { repeatedCode } from "../../src/leads/repeated-code.ts";
import { expectations, outcomes, type Case } from "./hacks/cases.ts";

const base = {
  "src/match.ts": `export function match(kind: string, node: Node, name: string) {
  if (kind === "class") {
    if (!has(node, "class", name)) return false;
  } else if (kind === "id") {
    if (!has(node, "id", name)) return false;
  } else if (kind === "tag") {
    if (!has(node, "tag", name)) return false;
  }
  return true;
}

function has(node: Node, field: string, name: string) {
  return node[field] === name;
}
`,
  "pkg/store.py": `class Store:
    def get(self, key):
        entry = self.entries.get(key)
        if entry is None:
            self.statistics.misses += 1
            return self.missing
        return entry

    def put(self, key, value):
        self.entries[key] = value
`,
};
const change = (path: keyof typeof base, ...pairs: [string, string][]) => ({
  [path]: pairs.reduce((text, [from, to]) => text.replaceAll(from, to), base[path]),
});

const cases: Record<string, Case> = {
  "one condition at every call": [
    "minor",
    change("src/match.ts", ["name)) return false", "name) && !node.dynamic) return false"]),
  ],
  "with or": ["minor", change("src/match.ts", ["if (!has(", "if (node.strict || !has("])],
  "the same way out again": [
    "minor",
    change("pkg/store.py", [
      "        if entry is None:\n",
      "        if entry is not None and entry.expired:\n            self.statistics.misses += 1\n            return self.missing\n        if entry is None:\n",
    ]),
  ],
  "the same way out twice": [
    "minor",
    change("pkg/store.py", [
      "        self.entries[key] = value\n",
      "        if key is None:\n            self.statistics.errors += 1\n            return self.nothing\n        if value is None:\n            self.statistics.errors += 1\n            return self.nothing\n        self.entries[key] = value\n",
    ]),
  ],
  "one condition in the called function": [
    "none",
    change("src/match.ts", ["return node[field] === name", "return node.dynamic || node[field] === name"]),
  ],
  "one condition at two calls": [
    "none",
    change(
      "src/match.ts",
      ['"id", name)) return', '"id", name) && !node.dynamic) return'],
      ['"tag", name)) return', '"tag", name) && !node.dynamic) return'],
    ),
  ],
  "different conditions": [
    "none",
    change(
      "src/match.ts",
      ['"class", name)) return', '"class", name) && !node.a) return'],
      ['"id", name)) return', '"id", name) && !node.b) return'],
      ['"tag", name)) return', '"tag", name) && !node.c) return'],
    ),
  ],
  "another argument at every call": [
    "none",
    change("src/match.ts", ["name)) return", "name, true)) return"]),
  ],
  "a short way out": [
    "none",
    change("pkg/store.py", [
      "        self.entries[key] = value\n",
      "        if key:\n            a = 1\n            return a\n        if value:\n            a = 1\n            return a\n",
    ]),
  ],
  "the same in another function": [
    "none",
    change("pkg/store.py", [
      "        self.entries[key] = value\n",
      "        if value is None:\n            self.statistics.misses += 1\n            return self.missing\n        self.entries[key] = value\n",
    ]),
  ],
  "comments that repeat": [
    "none",
    change("pkg/store.py", [
      "        return entry\n",
      "        # counted by the statistics, see there\n        # return self.missing for the caller\n        return entry\n        # counted by the statistics, see there\n        # return self.missing for the caller\n",
    ]),
  ],
};

test("the same thing written several times", async () => {
  expect(await outcomes(repeatedCode, { base }, cases)).toEqual(expectations(cases));
});
