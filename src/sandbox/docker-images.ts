import { ask, statusOf, type Engine } from "./docker-engine.ts";
import { SandboxFault } from "./fault.ts";
import { BUILD_ADVICE, IMAGE } from "./image/recipe.ts";

/** What is to be known of an image before anything of it runs. */
export interface ImageFacts {
  /** Names the content. */
  id: string;
  /** Folders that it declares as volumes. */
  volumes: string[];
  /** Variables that it sets. */
  env: Record<string, string>;
  labels: Record<string, string>;
}

/** @throws SandboxFault `unavailable` when the engine does not have the image */
export async function imageFacts(client: Engine, name: string): Promise<ImageFacts> {
  const found = await findImage(client, name);
  if (found === undefined) throw new SandboxFault("unavailable", noImage(name));
  return found;
}

/** The image, or undefined when the engine does not have it. */
export async function findImage(client: Engine, name: string): Promise<ImageFacts | undefined> {
  try {
    const { Id, Config } = await ask(`looking for the image ${name}`, () => client.getImage(name).inspect());
    const env = (Config.Env ?? []).map((line): [string, string] => {
      const [key = ""] = line.split("=", 1);
      return [key, line.slice(key.length + 1)];
    });
    return {
      id: Id,
      volumes: Object.keys(Config.Volumes ?? {}),
      env: Object.fromEntries(env),
      labels: Config.Labels ?? {},
    };
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
}

export const noImage = (name: string) =>
  `the engine has no image ${name}: ${name === IMAGE ? BUILD_ADVICE : `docker pull ${name}`}`;
