// The least that a filter over JSONL does: read line by line, parse, write again.
import { createReadStream } from "node:fs";
import { argv, stdout } from "node:process";
import { createInterface } from "node:readline";

for await (const line of createInterface({ input: createReadStream(argv[2]) })) {
  stdout.write(`${JSON.stringify(JSON.parse(line))}\n`);
}
