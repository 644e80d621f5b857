import { spawn, type ChildProcess } from "node:child_process";

/**
 * Runs a program to its end, its output going into a second one or, line by line, to `onLine`, as its errors do.
 *
 * @throws Error with the last lines when one of them fails
 */
export async function runPipe(
  source: readonly string[],
  sink: readonly string[] | undefined,
  onLine: (line: string) => void,
): Promise<void> {
  const [program = "", ...argv] = source;
  const first = spawn(program, argv, { stdio: ["ignore", "pipe", "pipe"] });
  const [second = "", ...more] = sink ?? [];
  const last = sink === undefined ? undefined : spawn(second, more, { stdio: ["pipe", "ignore", "pipe"] });
  const said: string[] = [];
  const read = (stream: NodeJS.ReadableStream | null) => {
    let text = "";
    stream?.on("data", (bytes: Buffer) => {
      const lines = (text + bytes.toString("utf8")).split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) {
        said.push(line);
        if (said.length > 5) said.shift();
        onLine(line);
      }
    });
  };
  read(first.stderr);
  read(last?.stderr ?? null);
  if (last === undefined) read(first.stdout);
  else first.stdout.pipe(last.stdin).on("error", () => first.kill());
  const end = (child: ChildProcess) =>
    new Promise<void>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) =>
        code === 0 ? resolve() : reject(new Error(`${child.spawnfile}: ${said.join(" | ")}`)),
      );
    });
  await Promise.all(last === undefined ? [end(first)] : [end(first), end(last)]);
}
