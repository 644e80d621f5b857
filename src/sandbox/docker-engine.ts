import type Dockerode from "dockerode";
import { reasonOf, SandboxFault, within } from "./fault.ts";

export type Engine = Dockerode;
export type { Container, ContainerCreateOptions, Exec } from "dockerode";

/** An engine under load takes seconds to start one of many containers; one that takes longer than this hangs. */
export const ENGINE_PATIENCE_MS = 60_000;

/**
 * The container engine that DOCKER_HOST names, or the local one. This file is the only one that loads dockerode, and
 * it does so when an engine is first wanted: everything else works without the package.
 *
 * @throws SandboxFault `unavailable`
 */
export async function connectEngine(): Promise<Engine> {
  let client: typeof Dockerode;
  try {
    ({ default: client } = await import("dockerode"));
  } catch (error) {
    throw new SandboxFault("unavailable", "dockerode is not installed: npm install dockerode", error);
  }
  try {
    const engine = new client();
    await within(5000, "the container engine's answer", engine.ping());
    return engine;
  } catch (error) {
    throw unreachable(error);
  }
}

/**
 * One call to the engine, with a deadline and with its failures as faults.
 *
 * @throws SandboxFault
 */
export async function ask<T>(
  what: string,
  call: () => Promise<T>,
  patienceMs = ENGINE_PATIENCE_MS,
): Promise<T> {
  try {
    return await within(patienceMs, what, call());
  } catch (error) {
    if (error instanceof SandboxFault) throw error;
    if (isUnreachable(error)) throw unreachable(error);
    throw new SandboxFault("sandbox_failed", `${what}: ${reasonOf(error).trim()}`, error);
  }
}

/** The engine's status code of a failed call, as HTTP has them. */
export function statusOf(error: unknown): number | undefined {
  const cause = error instanceof SandboxFault ? error.cause : error;
  return cause instanceof Error && "statusCode" in cause && typeof cause.statusCode === "number"
    ? cause.statusCode
    : undefined;
}

function isUnreachable(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return (
    typeof code === "string" && ["ECONNREFUSED", "ENOENT", "EACCES", "ECONNRESET", "EPIPE"].includes(code)
  );
}

function unreachable(error: unknown): SandboxFault {
  const host = process.env["DOCKER_HOST"];
  const where = host === undefined || host === "" ? "the default socket" : `DOCKER_HOST (${host})`;
  return new SandboxFault(
    "unavailable",
    `no container engine answers at ${where}: ${reasonOf(error).trim()}; start one, or set DOCKER_HOST`,
    error,
  );
}
