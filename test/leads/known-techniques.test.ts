import { expect, test } from "vitest";
import { knownTechniques } from "../../src/leads/known-techniques.ts";
import { expectations, outcomes, type Case } from "./hacks/cases.ts";

const HEAP = `export class Heap {
  up(i) {
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (this.less(parent, i)) return;
      this.swap(i, parent);
      i = parent;
    }
  }

  down(i) {
    const left = 2 * i + 1;
    if (left < this.items.length) this.swap(i, left);
  }
}
`;
const base = {
  "src/heap.js": HEAP,
  "src/escape.js":
    'export const escape = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");\n',
  "src/wait.js": "export const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));\n",
  "src/timers.js": "export function later(work) {\n  return work();\n}\n",
  "src/page.js": "export function page(title) {\n  return title;\n}\n",
  "pkg/distance.py":
    "def distance(a, b):\n    rows = table(a, b)\n    for i in range(1, len(a)):\n        for j in range(1, len(b)):\n            rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + 2)\n    return rows[-1][-1]\n",
  "pkg/names.py": "def names():\n    return []\n",
};

const cases: Record<string, Case> = {
  "a heap": [
    "minor",
    {
      "src/timers.js": `${base["src/timers.js"]}\nclass Queue {\n  add(i) {\n    const p = (i - 1) >>> 1;\n    const l = i * 2 + 1;\n    return p + l;\n  }\n}\n`,
    },
  ],
  "a heap with shifts": [
    "minor",
    {
      "src/timers.js": `${base["src/timers.js"]}\nconst up = (n) => (n - 1) >> 1;\nconst down = (n) => (n << 1) + 1;\n`,
    },
  ],
  escaping: [
    "minor",
    {
      "src/page.js":
        'export function page(title) {\n  return title.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");\n}\n',
    },
  ],
  "a delay": [
    "minor",
    {
      "src/timers.js": `${base["src/timers.js"]}\nconst sleep = (time) => new Promise((done) => setTimeout(done, time));\n`,
    },
  ],
  "an edit distance": [
    "minor",
    {
      "pkg/names.py":
        "def names(x, y):\n    for i in range(1, 9):\n        for j in range(1, 9):\n            d[i][j] = min(d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + c)\n    return d\n",
    },
  ],
  "half of a heap": [
    "none",
    { "src/timers.js": `${base["src/timers.js"]}\nconst middle = (n) => (n - 1) >> 1;\n` },
  ],
  "the module itself": [
    "none",
    { "src/heap.js": HEAP.replace("this.less(parent, i)", "!this.less(i, parent)") },
  ],
  "using it": [
    "none",
    {
      "src/timers.js":
        'import { Heap } from "./heap.js";\nexport function later(work) {\n  return new Heap(work);\n}\n',
    },
  ],
  "a plain timer": [
    "none",
    { "src/timers.js": "export function later(work) {\n  return setTimeout(work, 10);\n}\n" },
  ],
  "a technique that no neighbour has": [
    "none",
    { "src/page.js": "export function page(title) {\n  return JSON.parse(JSON.stringify(title));\n}\n" },
  ],
  "in a comment": [
    "none",
    { "src/timers.js": `${base["src/timers.js"]}\n// parent (i - 1) >> 1, child 2 * i + 1\n` },
  ],
};

test("techniques that the project has already", async () => {
  expect(await outcomes(knownTechniques, { base }, cases)).toEqual(expectations(cases));
});
