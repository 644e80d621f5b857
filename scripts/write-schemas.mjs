// Writes schemas/*.json from the zod schemas. With --check it only compares and fails on a difference.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { jsonSchema, SCHEMA_NAMES } from "../dist/schema/json-schemas.js";

const check = process.argv.includes("--check");
await mkdir(new URL("../schemas", import.meta.url), { recursive: true });
for (const name of SCHEMA_NAMES) {
  const file = new URL(`../schemas/${name}.json`, import.meta.url);
  const text = `${JSON.stringify(jsonSchema(name), null, 2)}\n`;
  if (!check) await writeFile(file, text);
  else if ((await readFile(file, "utf8").catch(() => "")) !== text) {
    console.error(`schemas/${name}.json is out of date: run npm run schemas`);
    process.exitCode = 1;
  }
}
