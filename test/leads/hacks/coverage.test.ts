import { expect, test } from "vitest";
import { isRun } from "../../../src/leads/hacks/tests/coverage.ts";

test.each([
  ["node --test test/", "test/a.test.js", true],
  ["node --test 'test/**/*.test.js'", "test/sub/a.test.js", true],
  ["node --test src/", "test/a.test.js", false],
  ["npm test", "tests/a.js", true],
  ["npm run test -- --silent", "spec/a.js", true],
  ["python3 -m unittest discover -s tests -t . -v", "tests/test_a.py", true],
  ["python3 -m unittest discover -s checks -t .", "tests/test_a.py", false],
  ["pytest", "pkg/tests/test_a.py", true],
  ["pytest -q -k fast tests/test_b.py", "tests/test_a.py", false],
  ["pytest tests/test_a.py::test_x", "tests/test_a.py", true],
  ["cd /repo && ./mvnw -q test", "src/test/java/ATest.java", true],
  ["go test ./...", "pkg/a_test.go", true],
  ["go test ./other/...", "pkg/a_test.go", false],
  ["cargo test", "tests/it.rs", true],
  ["./run.sh", "tests/test_a.py", false],
  [undefined, "tests/test_a.py", false],
])("%s runs %s: %s", (command, path, expected) => {
  expect(isRun(command, path)).toBe(expected);
});
