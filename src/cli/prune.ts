import { Command } from "commander";
import { GraderError } from "../errors.ts";
import { prune } from "../sandbox/prune.ts";

/** `gagar prune`. */
export function pruneCommand(): Command {
  return new Command("prune")
    .description(
      "Remove what gradings keep in the container engine: images with the result of a setup or with the work folder of a task's image, and containers of graders that are gone. The next grading makes again what it needs.",
    )
    .option("--image <name>", "only what was made from this image")
    .option("--json", "print what was removed as JSON")
    .addHelpText("after", "\nExit status: 0, 2 when no container engine answers.")
    .action(async ({ image, json }: { image?: string; json?: boolean }) => {
      const pruned = await prune(image).catch((error: unknown) => {
        throw new GraderError("bad_config", error instanceof Error ? error.message : String(error));
      });
      const { images, used, containers } = pruned;
      process.stdout.write(
        json === true
          ? `${JSON.stringify(pruned)}\n`
          : `removed: ${images.length} images, ${containers} containers; in use and kept: ${used.length} images\n`,
      );
    });
}
