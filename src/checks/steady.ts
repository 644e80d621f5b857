/** A text without what differs from run to run: addresses and measured times. */
export function steady(text: string): string {
  return text
    .replaceAll(/\b0x[0-9a-f]{6,}\b/gi, "0x?")
    .replaceAll(/\b\d+(?:\.\d+)?(?=\s?(?:ns|us|µs|ms|s|sec|secs|seconds?|milliseconds?)\b)/gi, "?");
}

export function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
