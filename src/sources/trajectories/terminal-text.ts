/** Control sequences of a terminal: cursor and colours, titles, strings of the device, single characters. */
const ESCAPES =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /\u001b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)|[PX^_][^\u001b]{0,4096}\u001b\\|[ -/]{0,4}[0-~])/g;

/** The text without the sequences that move the cursor and colour it. What was overwritten stays. */
export function withoutEscapes(text: string): string {
  return text.replace(ESCAPES, "").replaceAll("\r\n", "\n");
}

/** A command as it was typed, without the signal by which Terminal-Bench's harness learns that it has ended. */
export function typedCommand(keys: string): string {
  return keys.replace(/;\s{0,4}tmux wait -S done\s*$/, "").trimEnd();
}
