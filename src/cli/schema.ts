import { Argument, Command } from "commander";
import { jsonSchema, SCHEMA_NAMES } from "../schema/json-schemas.ts";

/** `gagar schema NAME`. */
export function schemaCommand(): Command {
  return new Command("schema")
    .description("Print a JSON Schema (draft 2020-12) of gagar's data. The same files stand in schemas/.")
    .addArgument(new Argument("<name>", "what to describe").choices([...SCHEMA_NAMES]))
    .action((name: string) => {
      process.stdout.write(`${JSON.stringify(jsonSchema(name), null, 2)}\n`);
    });
}
