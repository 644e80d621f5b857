import { InvalidArgumentError } from "commander";
import { number } from "./redistribution-options.ts";

/** Parsers of numeric options. @throws InvalidArgumentError for anything else. */
export function positive(text: string): number {
  const value = number(text);
  if (value <= 0) throw new InvalidArgumentError("a number above 0 is needed.");
  return value;
}

export function integer(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new InvalidArgumentError("a whole number is needed.");
  return Number(text);
}

export function positiveInteger(text: string): number {
  const value = integer(text);
  if (value < 1) throw new InvalidArgumentError("a whole number from 1 on is needed.");
  return value;
}

export function nonNegative(text: string): number {
  const value = number(text);
  if (value < 0) throw new InvalidArgumentError("a number of 0 or more is needed.");
  return value;
}
