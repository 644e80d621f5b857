export interface StartedEngine {
  /** For DOCKER_HOST. */
  host: string;
  stop(signal?: "SIGTERM" | "SIGKILL"): Promise<void>;
}

export function startEngine(options: { data: string; log: string; run?: string }): Promise<StartedEngine>;
export function onPath(program: string): boolean;
