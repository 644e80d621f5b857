import { createHash } from "node:crypto";

/** A number in [0, 1) that is the same for the same parts, in every run and on every machine. */
export function lot(...parts: readonly (string | number)[]): number {
  return createHash("sha256").update(JSON.stringify(parts)).digest().readUIntBE(0, 6) / 2 ** 48;
}

/** The items in an order that only the parts and the items' names decide. */
export function shuffled<T>(
  items: readonly T[],
  nameOf: (item: T) => string,
  ...parts: readonly (string | number)[]
): T[] {
  const drawn = items.map((item) => ({ item, lot: lot(...parts, nameOf(item)) }));
  return drawn.sort((a, b) => a.lot - b.lot).map(({ item }) => item);
}
