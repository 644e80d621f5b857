// Text of the kind that agents read and write, the same every time.
const WORDS =
  "self return config value parse error path open line test assert module result index items update default".split(
    " ",
  );
/** Characters that need two bytes a character in memory; one text in twelve holds some. */
const MARKS = ["\u2713", "\u2026", "\u2500"];

/** Texts of code and of output, one unlike the other. */
export function writer(seed) {
  let state = seed;
  const next = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const word = () => WORDS[next(WORDS.length)];
  const line = (mark) => {
    const kind = next(10);
    if (kind === 0) return `    ${word()} = {"${word()}": "${word()} ${next(1000)}", "${word()}": ${word()}}`;
    if (kind === 1) return `tests/test_${word()}.py::test_${word()} PASSED ${mark}`;
    if (kind === 2) return `    ${word()} = re.compile(r"^\\s*(\\w+)\\.${word()}\\(")`;
    if (kind === 3) return "";
    return `${" ".repeat(4 * next(4))}${word()}.${word()}(${word()}, ${word()}=${next(1000)})  # ${word()} ${word()}`;
  };
  const text = (lines) => {
    const mark = next(12) === 0 ? MARKS[next(MARKS.length)] : "";
    return Array.from({ length: lines }, () => line(mark)).join("\n");
  };
  return {
    output: () => text(1 + next(60)),
    thought: () => text(1 + next(4)),
    command: () => `grep -rn "${word()}" src | head -${next(90)}`,
  };
}
