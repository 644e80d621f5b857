import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Command } from "commander";
import { asGraderError, formatPlace, GraderError, type Warning } from "../errors.ts";
import { atifOf, inlineGroup, loadGroups, type SourceOptions, writeGroup } from "../sources/index.ts";
import { visible } from "../visible.ts";
import { fileName } from "./file-name.ts";
import { choice } from "./redistribution-options.ts";
import { addSourceOptions, sourceOptions } from "./source-options.ts";

export const TARGETS = ["group", "atif"] as const;
export type Target = (typeof TARGETS)[number];

/** Where `convert` writes when it is given no folder. */
export interface ConvertOutput {
  out: (text: string) => void;
  err: (text: string) => void;
}

/** `gagar convert INPUT... --to group|atif`. */
export function convertCommand(): Command {
  const command = new Command("convert")
    .description("Write what gagar reads from an input as native groups, or its trajectories as ATIF.")
    .argument("<inputs...>", "as for gagar show")
    .addOption(
      choice("--to <format>", "group, or atif: one document a rollout", TARGETS).makeOptionMandatory(),
    )
    .option("--out <dir>", "write <dir>/<group>/...; without it one JSON document a line on standard output");
  return addSourceOptions(command).action(
    async (inputs: string[], options: SourceOptions & { to: Target; out?: string }) => {
      process.exitCode = await convert(inputs, sourceOptions(options), options, {
        out: (text) => void process.stdout.write(text),
        err: (text) => void process.stderr.write(text),
      });
    },
  );
}

/**
 * Converts every group of the inputs. On standard output a group's parts stand in it and its repository stays as it was
 * given. Returns the exit status: 2 when something could not be read, else 0.
 */
export async function convert(
  inputs: readonly string[],
  options: SourceOptions,
  { to, out: folder }: { to: Target; out?: string },
  { out, err }: ConvertOutput,
): Promise<number> {
  let status = 0;
  const tell = (text: string): void => err(`gagar: ${visible(text).replace(/[\n\t]/g, " ")}\n`);
  const warn = ({ code, message, where }: Warning): void =>
    tell(`warning: ${formatPlace(where)}: ${message} [${code}]`);
  const fail = (error: unknown): void => {
    const known = asGraderError(error);
    status = Math.max(status, known.exitStatus);
    tell(known.message);
  };
  for await (const loaded of loadGroups(inputs, options))
    try {
      const group = "error" in loaded ? loaded.partial : loaded;
      // Trajectories need no repository.
      if (to === "atif" && group !== undefined) {
        for await (const { rollout, document } of atifOf(group, warn)) {
          if (folder === undefined) out(`${JSON.stringify(document)}\n`);
          else await writeDocument(join(folder, fileName(group.group.group_id)), rollout, document);
        }
      } else if ("error" in loaded) throw loaded.error;
      else if (folder === undefined) out(`${JSON.stringify(await inlineGroup(loaded, warn))}\n`);
      else (await writeGroup(loaded, join(folder, fileName(loaded.group.group_id)))).forEach(warn);
    } catch (error) {
      fail(error);
    }
  return status;
}

async function writeDocument(folder: string, rollout: string, document: object): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${fileName(rollout)}.json`), `${JSON.stringify(document, null, 1)}\n`);
  } catch (error) {
    throw new GraderError(
      "bad_config",
      `cannot be written: ${String(error)}`,
      { file: folder },
      { cause: error },
    );
  }
}
