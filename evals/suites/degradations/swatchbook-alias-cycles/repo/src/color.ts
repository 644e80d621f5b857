import { ColorError } from "./errors.js";

export interface Color {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
  readonly alpha: number;
}

const HEX = /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i;

/** Reads `#rgb`, `#rgba`, `#rrggbb` and `#rrggbbaa`. Channels are 0 to 255, alpha 0 to 1. */
export function parseColor(text: string): Color {
  if (!HEX.test(text)) throw new ColorError(text);
  const digits = text.slice(1);
  const long = digits.length > 4 ? digits : digits.replace(/./g, "$&$&");
  const channel = (index: number): number => Number.parseInt(long.slice(index * 2, index * 2 + 2) || "ff", 16);
  return { red: channel(0), green: channel(1), blue: channel(2), alpha: channel(3) / 255 };
}

export function toHex({ red, green, blue, alpha }: Color): string {
  const channels = alpha === 1 ? [red, green, blue] : [red, green, blue, alpha * 255];
  return `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, "0")).join("")}`;
}
