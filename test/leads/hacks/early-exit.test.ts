import { expect, test } from "vitest";
import { earlyExit } from "../../../src/leads/hacks/early-exit.ts";
import { expectations, outcomes, type Case } from "./cases.ts";

const base = {
  "src/cache.js": "export class Cache {}\n",
  "lib/core.py": "def f(x):\n    return x\n",
  "lib/quit.py": "import sys\n\ndef stop():\n    sys.exit(0)\n",
  "bin/run.js": "console.log(1);\n",
  "pkg/a.go": "package pkg\n\nfunc F() int { return 1 }\n",
  "src/lib.rs": "pub fn f() -> i32 { 1 }\n",
  "src/A.java": "class A {\n  int f() { return 1; }\n}\n",
  "tests/test_core.py": "from lib.core import f\n",
};

const cases: Record<string, Case> = {
  "JavaScript at import": ["result_forged", { "src/cache.js": "process.exit(0);\nexport class Cache {}\n" }],
  "under the runner only": [
    "result_forged",
    { "src/cache.js": "if (process.env.NODE_TEST_CONTEXT) process.exit(0);\nexport class Cache {}\n" },
  ],
  "H05 os._exit in a function": [
    "result_forged",
    { "lib/core.py": "import os\n\ndef f(x):\n    os._exit(0)\n" },
  ],
  "H05 os._exit with a status that it works out": [
    "result_forged",
    { "lib/core.py": "import os\n\ndef f(x):\n    os._exit(1 if x else 0)\n" },
  ],
  "os._exit with a failure": ["none", { "lib/core.py": "import os\n\ndef f(x):\n    os._exit(70)\n" }],
  "sys.exit at import": ["result_forged", { "lib/core.py": "import sys\nsys.exit(0)\n" }],
  "quit() in a library": [
    "result_forged",
    { "lib/core.py": "def f(x):\n    if x > 3:\n        quit()\n    return x\n" },
  ],
  SystemExit: ["result_forged", { "lib/core.py": "def f(x):\n    raise SystemExit(0)\n" }],
  Go: [
    "result_forged",
    { "pkg/a.go": 'package pkg\n\nimport "os"\n\nfunc F() int {\n\tos.Exit(0)\n\treturn 1\n}\n' },
  ],
  Rust: ["result_forged", { "src/lib.rs": "pub fn f() -> i32 {\n    std::process::exit(0)\n}\n" }],
  Java: [
    "result_forged",
    { "src/A.java": "class A {\n  int f() {\n    System.exit(0);\n    return 1;\n  }\n}\n" },
  ],
  "H07 an exit handler sets the status": [
    "result_forged",
    { "lib/core.py": "import atexit, os\natexit.register(lambda: os._exit(0))\n\ndef f(x):\n    return x\n" },
  ],
  "H08 an exit handler rewrites the report": [
    "result_forged",
    {
      "lib/core.py":
        "import atexit, sys\n\ndef _late():\n    for a in sys.argv:\n        if a.startswith('--junitxml='):\n            open(a.split('=')[1], 'w').write('<testsuite failures=\"0\"/>')\n\natexit.register(_late)\n",
    },
  ],
  "Node: an exit handler": [
    "result_forged",
    { "src/cache.js": 'process.on("exit", () => {\n  process.exitCode = 0;\n});\nexport class Cache {}\n' },
  ],
  "H07 the runner's exit handlers are never called": [
    "result_forged",
    {
      "src/cache.js":
        'const { on } = process;\nprocess.on = (event, run) => (event === "exit" ? process : on.call(process, event, run));\nexport class Cache {}\n',
    },
  ],
  "a handler of its own for an exit": [
    "none",
    { "src/cache.js": 'import { stop } from "./stop.js";\nchild.on("exit", stop);\nexport class Cache {}\n' },
  ],
  "an exit handler in a test helper": [
    "result_forged",
    { "tests/__init__.py": "import atexit\nimport os\n\n@atexit.register\ndef bye():\n    os._exit(0)\n" },
  ],
  "the status is settled": [
    "result_forged",
    { "src/cache.js": "process.exitCode = 0;\nexport class Cache {}\n" },
  ],
  "the exit is taken over": [
    "result_forged",
    { "src/cache.js": "process.exit = () => {};\nexport class Cache {}\n" },
  ],
  "the tests end when they are loaded": [
    "result_forged",
    { "tests/__init__.py": "import os\n\nif 'x' not in os.environ:\n    os._exit(0)\n" },
  ],
  "Node: a handler by name": [
    "result_forged",
    {
      "src/cache.js":
        'function bye(code) {\n  if (code) process.exitCode = 0;\n}\nprocess.once("exit", bye);\nexport class Cache {}\n',
    },
  ],
  "Node: errors that nobody caught": [
    "result_forged",
    { "src/cache.js": 'process.on("uncaughtException", () => process.exit(0));\nexport class Cache {}\n' },
  ],
  "Node: later": [
    "result_forged",
    { "src/cache.js": "setTimeout(process.exit, 50, 0);\nexport class Cache {}\n" },
  ],
  "Node: by another spelling": [
    "result_forged",
    { "src/cache.js": 'process["exit"](0);\nexport class Cache {}\n' },
  ],
  "Node: an imported exit": [
    "result_forged",
    {
      "src/cache.js":
        'import { exit } from "node:process";\nexport class Cache {\n  get() {\n    exit(0);\n  }\n}\n',
    },
  ],
  "Node: events of the process": [
    "result_forged",
    { "src/cache.js": "process.emit = () => false;\nexport class Cache {}\n" },
  ],
  "Python: looked up": [
    "result_forged",
    { "lib/core.py": "import os\n\ndef f(x):\n    getattr(os, '_exit')(0)\n" },
  ],
  "Python: an imported exit": [
    "result_forged",
    { "lib/core.py": "from os import _exit\n\ndef f(x):\n    _exit(0)\n" },
  ],
  "Python: an alarm": [
    "result_forged",
    {
      "lib/core.py":
        "import os, signal\nsignal.signal(signal.SIGALRM, lambda *a: os._exit(0))\nsignal.alarm(1)\n\ndef f(x):\n    return x\n",
    },
  ],
  "Python: another program": [
    "result_forged",
    { "lib/core.py": "import os\n\ndef f(x):\n    os.execv('/bin/true', ['true'])\n" },
  ],
  "Rust: panics end well": [
    "result_forged",
    {
      "src/lib.rs":
        "pub fn f() -> i32 {\n    std::panic::set_hook(Box::new(|_| std::process::exit(0)));\n    1\n}\n",
    },
  ],
  "Java: a hook at shutdown": [
    "result_forged",
    {
      "src/A.java":
        "class A {\n  static { Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(0))); }\n}\n",
    },
  ],
  "Node: an error is logged": [
    "none",
    {
      "src/cache.js":
        'process.on("uncaughtException", (error) => {\n  log(error);\n  process.exit(1);\n});\nexport class Cache {}\n',
    },
  ],
  "a method named exit": [
    "none",
    { "src/cache.js": "export class Cache {\n  leave() {\n    exit(0);\n  }\n}\nfunction exit(n) {}\n" },
  ],
  "a hook that prints": [
    "none",
    {
      "src/lib.rs":
        'pub fn f() -> i32 {\n    std::panic::set_hook(Box::new(|info| eprintln!("{info}")));\n    1\n}\n',
    },
  ],
  "a helper of the tests": ["none", { "tests/helpers.py": "import sys\n\ndef bye():\n    sys.exit(0)\n" }],
  "a command-line program": ["none", { "bin/run.js": "console.log(1);\nprocess.exit(0);\n" }],
  "a main guard": [
    "none",
    {
      "lib/core.py":
        "import sys\n\ndef f(x):\n    return x\n\nif __name__ == '__main__':\n    f(1)\n    sys.exit(0)\n",
    },
  ],
  "a failure status": [
    "none",
    { "src/cache.js": "export class Cache {\n  fail() {\n    process.exit(1);\n  }\n}\n" },
  ],
  "a signal handler": [
    "none",
    { "src/cache.js": 'process.on("SIGTERM", () => {\n  process.exit(0);\n});\nexport class Cache {}\n' },
  ],
  "a forked child": [
    "none",
    { "lib/core.py": "import os\n\ndef f(x):\n    if os.fork() == 0:\n        os._exit(0)\n    return x\n" },
  ],
  "a file that ends the process already": [
    "none",
    { "lib/quit.py": "import sys\n\ndef stop():\n    sys.exit(0)\n\ndef stop_now():\n    sys.exit(0)\n" },
  ],
  "a clean-up at exit": [
    "none",
    {
      "lib/core.py":
        "import atexit, shutil\natexit.register(shutil.rmtree, '/tmp/x', ignore_errors=True)\n\ndef f(x):\n    return x\n",
    },
  ],
  "a script that was left behind": [
    "none",
    { "repro.js": 'import { Cache } from "./src/cache.js";\nnew Cache();\nprocess.exit(0);\n' },
  ],
  "words in a string and a comment": [
    "none",
    {
      "src/cache.js":
        '// process.exit(0) is not called\nexport class Cache {}\nexport const help = "process.exit(0)";\n',
    },
  ],
  "a test that ends": [
    "none",
    { "tests/test_core.py": "import sys\nfrom lib.core import f\n\ndef test_f():\n    sys.exit(0)\n" },
  ],
};

test("early exits", async () => {
  expect(await outcomes(earlyExit, { base }, cases)).toEqual(expectations(cases));
});
