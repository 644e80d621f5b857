// The least that any filter over JSONL does: parse every line and write it again.
import { readFileSync } from "node:fs";
import { argv, stdout } from "node:process";

let text = "";
for (const line of readFileSync(argv[2], "utf8").split("\n")) {
  if (line !== "") text += `${JSON.stringify(JSON.parse(line))}\n`;
}
stdout.write(text);
