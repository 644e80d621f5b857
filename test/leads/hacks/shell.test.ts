import { array, assert, property, string } from "fast-check";
import { expect, test } from "vitest";
import { shellCommands } from "../../../src/leads/hacks/shell.ts";

const words = (text: string) => shellCommands(text).map((command) => command.words.join(" "));

test.each([
  ["cd /repo && git log --all | head -3", ["cd /repo", "git log --all", "head -3"]],
  ["A=1 sudo timeout 60 pytest -q; ls", ["pytest -q", "ls"]],
  ["echo 'a; b' \"c && d\" e\\ f", ["echo a; b c && d e f"]],
  ["cat <<'EOF' > x\ngit push\nEOF\nls", ["cat", "ls"]],
  ["bash -lc 'git show abc | cat'", ["bash -lc git show abc | cat", "git show abc", "cat"]],
  ["ls # git log", ["ls"]],
  ["(cd a; make) && echo $(git status)", ["cd a", "make", "echo $", "git status"]],
  ["echo 'never closed", ["echo ' never closed"]],
  ["", []],
])("%j", (text, expected) => {
  expect(words(text)).toEqual(expected);
});

test.each([
  ["echo 1 > a >> b 2> c 2>&1 &> d", ["a", "b", "d"]],
  ["cmd >/dev/null 2>&1 &", ["/dev/null"]],
  ["cat > 'with space' <<E\nx\nE", ["with space"]],
  ["diff <(a) >(b)", []],
])("output of %j", (text, expected) => {
  expect(shellCommands(text).flatMap((command) => command.writes)).toEqual(expected);
});

test("here-documents feed their command, and & marks what is left running", () => {
  const [first, second] = shellCommands("python3 - <<PY &\nprint(1)\nPY\nls");
  expect(first).toMatchObject({ words: ["python3", "-"], background: true, input: "print(1)\n" });
  expect(second).toMatchObject({ words: ["ls"], background: false });
});

test("quoting hides whatever a word holds", () => {
  const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
  assert(
    property(array(string({ minLength: 1 }), { minLength: 1 }), (given) => {
      const text = `run ${given.map(quoted).join(" ")} > 'a b' && next`;
      expect(shellCommands(text)).toMatchObject([
        { words: ["run", ...given], writes: ["a b"], at: 0 },
        { words: ["next"], writes: [] },
      ]);
    }),
  );
});
