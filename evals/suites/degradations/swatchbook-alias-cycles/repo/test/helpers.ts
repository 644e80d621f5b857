import { readFileSync } from "node:fs";
import type { TokenGroup } from "../src/index.js";

export function readFixture(name: string): string {
  return readFileSync(new URL(`./fixtures/${name}`, import.meta.url), "utf8");
}

export function brand(): TokenGroup {
  return JSON.parse(readFixture("brand.json")) as TokenGroup;
}

/** A group of tokens from names and values. */
export function tokens(values: Record<string, string | number>): TokenGroup {
  return Object.fromEntries(Object.entries(values).map(([name, $value]) => [name, { $value }]));
}
