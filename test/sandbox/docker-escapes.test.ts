import { expect, test } from "vitest";
import { connectEngine } from "../../src/sandbox/docker-engine.ts";
import { OWNER, OWNER_LABEL } from "../../src/sandbox/docker-options.ts";
import { dockerSandbox } from "../../src/sandbox/docker.ts";
import { escapeContract } from "../contract/escapes.ts";

escapeContract("docker", () => dockerSandbox());

test("S17 the container as the engine made it: nothing of the host in it, a limit on everything", async () => {
  const sandbox = dockerSandbox();
  const box = await sandbox.open();
  try {
    const engine = await connectEngine();
    const label = [`${OWNER_LABEL}=${OWNER}`];
    const [found] = await engine.listContainers({ filters: { label } });
    const { Config, HostConfig, Mounts, NetworkSettings } = await engine
      .getContainer(found?.Id ?? "")
      .inspect();
    expect(HostConfig).toMatchObject({
      CapDrop: ["ALL"],
      Privileged: false,
      ReadonlyRootfs: true,
      NetworkMode: "none",
      IpcMode: "private",
      Init: true,
      AutoRemove: false,
    });
    for (const list of [
      "Binds",
      "CapAdd",
      "Devices",
      "DeviceRequests",
      "VolumesFrom",
      "Links",
      "ExtraHosts",
      "GroupAdd",
    ])
      expect([list, Reflect.get(HostConfig, list) ?? []]).toEqual([list, []]);
    expect(HostConfig.SecurityOpt).toContain("no-new-privileges");
    expect(HostConfig.SecurityOpt?.join()).not.toContain("unconfined");
    expect(Object.keys(HostConfig.PortBindings ?? {})).toEqual([]);
    for (const limit of [HostConfig.Memory, HostConfig.PidsLimit, HostConfig.NanoCpus])
      expect(limit).toBeGreaterThan(0);
    expect(HostConfig.MemorySwap).toBe(HostConfig.Memory);
    expect(HostConfig.Ulimits?.map(({ Name }) => Name)).toEqual(["core", "fsize", "nofile", "nproc"]);
    // Neither a volume nor a folder or socket of the host, least of all the engine's own.
    expect(Mounts).toEqual([]);
    expect(Config.User).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(Object.keys(NetworkSettings.Networks ?? {}).filter((name) => name !== "none")).toEqual([]);
  } finally {
    await box.close();
    await sandbox.close();
  }
});
