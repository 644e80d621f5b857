import { connectEngine } from "../../src/sandbox/docker-engine.ts";
import { IMAGE } from "../../src/sandbox/image/recipe.ts";

/** The default image after a script of root's, under a name. `changes` are lines of a Dockerfile. */
export async function makeImage(
  name: string,
  script: string,
  changes: string[] = ["LABEL gagar.test=yes"],
): Promise<void> {
  const engine = await connectEngine();
  const container = await engine.createContainer({
    Image: IMAGE,
    Cmd: ["/bin/sh", "-e", "-c", script],
    Env: ["HOME=/tmp", "PATH=/usr/bin:/bin"],
    NetworkDisabled: true,
    HostConfig: {
      NetworkMode: "none",
      Ulimits: ["nofile", "nproc"].map((Name) => ({ Name, Soft: 1024, Hard: 1024 })),
    },
  });
  try {
    await container.start();
    const { StatusCode } = await container.wait();
    if (StatusCode !== 0) throw new Error(`making ${name} ended with status ${StatusCode}`);
    const [repo, tag] = name.split(":");
    await container.commit({ repo, tag, changes: changes.join("\n") });
  } finally {
    await container.remove({ force: true, v: true });
  }
}

export async function removeImage(name: string): Promise<void> {
  const engine = await connectEngine();
  await engine.getImage(name).remove({ force: true });
}
