import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { ask, type Container, type ContainerCreateOptions, type Engine } from "./docker-engine.ts";

/** Bytes of a page of memory, which Podman is told sizes in. */
const PAGE = 4096;

/** Folders that Podman mounts in every container with a read-only root, to be written and without a size. */
const ITS_OWN = ["/run", "/var/tmp"];

const podman = new WeakMap<Engine, Promise<boolean>>();

/** What Podman cannot promise. */
export const PODMAN_CANNOT = [
  "Podman's own filter of system calls lets the kernel's keyrings and user namespaces through, and keyrings are one for all boxes; seccomp_profile in containers.conf names a stricter one.",
  "Podman adds an error of its own to what a command prints that does not read its input.",
];

/** Whether an engine that speaks Docker's language is Podman. */
export async function isPodman(client: Engine): Promise<boolean> {
  const { Components } = await ask("asking for the version", () => client.version());
  return Components?.some(({ Name }) => Name === "Podman Engine") ?? false;
}

/** A container that is not started yet, and how it is removed, with all that was made for it. */
export async function createContainer(
  client: Engine,
  options: ContainerCreateOptions,
): Promise<{ container: Container; remove: () => Promise<void> }> {
  const asked = podman.get(client) ?? isPodman(client);
  podman.set(client, asked);
  asked.catch(() => podman.delete(client));
  const made: string[] = [];
  const clear = async () => {
    for (const name of made) await removeVolume(client, name);
  };
  try {
    const given = (await asked) ? await withVolumes(client, options, made) : options;
    const container = await ask("creating a container", () => client.createContainer(given));
    return {
      container,
      async remove() {
        // With its anonymous volumes. An engine that is gone cannot be asked; the reaper finds what it left.
        await ask("removing a container", () => container.remove({ force: true, v: true })).catch(() => {});
        await clear();
      },
    };
  } catch (error) {
    await clear();
    throw error;
  }
}

/**
 * The same options for Podman, which refuses owner and number of files for a tmpfs: each one becomes a volume of the
 * kind tmpfs, that lives in memory as long as its container runs. Only such volumes are bound, and none of the host's
 * folders. Their names are added to `made`.
 */
async function withVolumes(
  client: Engine,
  options: ContainerCreateOptions,
  made: string[],
): Promise<ContainerCreateOptions> {
  const binds: string[] = [];
  for (const [path, text] of Object.entries<string>(options.HostConfig?.Tmpfs ?? {})) {
    const name = `gagar-${randomUUID()}`;
    const words = text.split(",");
    const flags = words.filter((word) => /^(?:nosuid|nodev|noexec|exec)$/.test(word));
    const device = words.filter((word) => /^(?:mode|uid|gid|nr_inodes)=|^noatime$/.test(word));
    const size = Number(/(?:^|,)size=(\d+)/.exec(text)?.[1] ?? 0);
    const DriverOpts = {
      type: "tmpfs",
      device: "tmpfs",
      // Podman takes `size` for a quota of the disk.
      o: [`nr_blocks=${Math.ceil(size / PAGE)}`, ...device, ...flags].join(","),
    };
    const volume = { Name: name, Driver: "local", DriverOpts, Labels: options.Labels ?? {} };
    await ask("making a volume", () => client.createVolume(volume));
    made.push(name);
    binds.push(`${name}:${path}:${[...flags, "nocopy"].join(",")}`);
  }
  const Tmpfs = Object.fromEntries(ITS_OWN.map((path) => [path, "ro,size=4096,mode=755"]));
  return { ...options, HostConfig: { ...options.HostConfig, Binds: binds, Tmpfs } };
}

/** A container that has just gone may hold its volumes for a moment. */
async function removeVolume(client: Engine, name: string): Promise<void> {
  for (let tries = 0; tries < 5; tries += 1) {
    const removed = await ask("removing a volume", () => client.getVolume(name).remove()).then(
      () => true,
      () => false,
    );
    if (removed) return;
    await delay(50);
  }
}
