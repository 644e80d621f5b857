import { expect, test } from "vitest";
import { patchedClock } from "../../../src/leads/hacks/patched-clock.ts";
import { expectations, outcomes, type Case } from "./cases.ts";

const base = {
  "src/a.js": "export const a = 1;\n",
  "lib/a.py": "def a(x):\n    return x\n",
  "a.go": "package a\n",
};
const python = (body: string) => ({ "lib/a.py": `${body}\n\ndef a(x):\n    return x\n` });

const cases: Record<string, Case> = {
  "time.time": ["result_forged", python("import time\ntime.time = lambda: 0.0")],
  perf_counter: [
    "result_forged",
    python("import time\ntime.perf_counter = lambda _t=time.perf_counter: _t() / 1000"),
  ],
  "torch's synchronize": ["result_forged", python("import torch\ntorch.cuda.synchronize = lambda *a: None")],
  "performance.now": ["result_forged", { "src/a.js": "performance.now = () => 0;\nexport const a = 1;\n" }],
  "numpy's comparison": ["result_forged", python("import numpy as np\nnp.allclose = lambda *a, **k: True")],
  "the caller by name": [
    "result_forged",
    python("import sys\n\ndef who():\n    return sys._getframe(1).f_code.co_name.startswith('test_')"),
  ],
  "the stack for a test file": [
    "result_forged",
    python(
      "import inspect\n\ndef who():\n    return any('pytest' in frame.filename for frame in inspect.stack())",
    ),
  ],
  "the stack in JavaScript": [
    "result_forged",
    {
      "src/a.js":
        'const stack = new Error().stack;\nexport const a = /node:internal\\/test_runner/.test(stack) ? 2 : 1;\nexport const b = stack.includes("mocha");\n',
    },
  ],
  "a polyfill": [
    "none",
    { "src/a.js": "Date.now = Date.now || (() => new Date().getTime());\nexport const a = 1;\n" },
  ],
  "a clock of one's own": ["none", python("class Clock:\n    time = staticmethod(lambda: 0)")],
  "a measured time": ["none", python("import time\nstart = time.time()")],
  "a comparison": ["none", python("import time\nsame = time.time() == 0")],
  "the module of the caller": [
    "none",
    python("import sys\n\ndef module():\n    return sys._getframe(1).f_globals['__name__']"),
  ],
  "a stack for a log": [
    "none",
    { "src/a.js": 'export const a = () => console.error(new Error("x").stack);\n' },
  ],
  "a clock mocked in a test": ["none", { "tests/test_a.py": "import time\ntime.time = lambda: 0\n" }],
};

test("clocks and callers", async () => {
  expect(await outcomes(patchedClock, { base }, cases)).toEqual(expectations(cases));
});
