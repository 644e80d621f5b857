import { expect, test } from "vitest";
import { classifyPath } from "../../src/workspace/file-class.ts";

test.each([
  ["package-lock.json", "lock"],
  ["web/yarn.lock", "lock"],
  ["Cargo.lock", "lock"],
  ["go.sum", "lock"],
  ["tests/conftest.py", "test_config"],
  ["setup.cfg", "test_config"],
  ["tests/test_shop.py", "test"],
  ["pkg/shop_test.go", "test"],
  ["src/shop.spec.ts", "test"],
  ["src/main/java/ShopTest.java", "test"],
  ["pyproject.toml", "build"],
  [".github/workflows/ci.yml", "build"],
  ["docs/index.rst", "docs"],
  ["CHANGELOG.md", "docs"],
  ["src/shop.py", "source"],
  ["latest.py", "source"],
  ["src/contest/shop.py", "source"],
  ["lock.py", "source"],
  ["shop.py.orig", "other"],
  ["data.csv", "other"],
])("%s is %s", (path, expected) => {
  expect(classifyPath(path)).toBe(expected);
});
