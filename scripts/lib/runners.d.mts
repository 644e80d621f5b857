import type { Engine } from "../../src/sandbox/docker-engine.ts";

export function runnersImage(base: string): string;
export function buildRunners(engine: Engine, base: string, progress: (line: string) => void): Promise<void>;
