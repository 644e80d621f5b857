/**
 * Every failure that gagar reports on purpose is a GraderError with one of these codes.
 * The codes are part of the public surface; what a door makes of one is in DOORS below and nowhere else.
 *
 * - `bad_input`: the caller's data is wrong; `where` names file, rollout and field.
 * - `bad_config`: the options contradict each other or the method's laws.
 * - `already_redistributed`: the input carries a `redistributed` marker.
 * - `base_unavailable`: the repository cannot be read into the workspace.
 * - `git_failed`: git is missing, too old, ran out of its limits or answered something unexpected.
 * - `fallback`: grading was not possible and the caller asked for `--strict`.
 * - `internal`: a fault of gagar itself.
 */
export type ErrorCode =
  | "bad_input"
  | "bad_config"
  | "already_redistributed"
  | "base_unavailable"
  | "git_failed"
  | "fallback"
  | "internal";

/** Where in the caller's data a problem lies. Every part is optional; `field` is a JSON-pointer-like path. */
export interface Place {
  file?: string;
  line?: number;
  group?: string;
  rollout?: string;
  field?: string;
}

/** One thing that was wrong with the input but did not stop the rest of it from being read. */
export interface Warning {
  code: string;
  message: string;
  where: Place;
}

/** exit: process status of the CLI. http: status of the service. */
const DOORS: Record<ErrorCode, { exit: number; http: number }> = {
  bad_input: { exit: 2, http: 400 },
  bad_config: { exit: 2, http: 400 },
  already_redistributed: { exit: 2, http: 409 },
  base_unavailable: { exit: 2, http: 422 },
  git_failed: { exit: 4, http: 500 },
  fallback: { exit: 3, http: 503 },
  internal: { exit: 4, http: 500 },
};

export class GraderError extends Error {
  override readonly name = "GraderError";
  readonly code: ErrorCode;
  readonly where: Place;

  constructor(code: ErrorCode, message: string, where: Place = {}, options: { cause?: unknown } = {}) {
    const place = formatPlace(where);
    super(place === "" ? message : `${place}: ${message}`, options);
    this.code = code;
    this.where = where;
  }

  get exitStatus(): number {
    return DOORS[this.code].exit;
  }

  get httpStatus(): number {
    return DOORS[this.code].http;
  }
}

/** `group.json:3: rollout r02: rollouts[1].reward`, leaving out what is unknown. */
export function formatPlace(where: Place): string {
  const file =
    where.file === undefined ? undefined : where.file + (where.line === undefined ? "" : `:${where.line}`);
  const parts = [
    file,
    where.group === undefined ? undefined : `group ${where.group}`,
    where.rollout === undefined ? undefined : `rollout ${where.rollout}`,
    where.field,
  ];
  return parts.filter((part) => part !== undefined).join(": ");
}

/** Any thrown value as a GraderError; what is not one already is a fault of ours. */
export function asGraderError(error: unknown): GraderError {
  if (error instanceof GraderError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new GraderError("internal", message, {}, { cause: error });
}
