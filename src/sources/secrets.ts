import type { Trajectory, TrajectoryEvent } from "../schema/trajectory.ts";
import type { Note } from "./notes.ts";
import { everyString, isObject } from "./shape.ts";

const MASK = "[secret masked]";

/** Keys that say by their form what they are. */
const KEYS = new RegExp(
  [
    "sk-(?:ant|proj|svcacct|or-v1)-[\\w-]{20,}",
    "sk-(?=[A-Za-z]*\\d)[A-Za-z0-9]{20,}",
    "[sr]k_live_[A-Za-z0-9]{16,}",
    "gh[pousr]_[A-Za-z0-9]{36,}",
    "github_pat_[A-Za-z0-9_]{22,}",
    "glpat-[\\w-]{20,}",
    "(?:AKIA|ASIA)(?![A-Z0-9]{9}EXAMPLE)[A-Z0-9]{16}",
    "xox[abprs]-\\d[\\w-]{20,}",
    "AIza[\\w-]{35}",
    "hf_[A-Za-z0-9]{30,}",
    "npm_[A-Za-z0-9]{36}",
    "pypi-AgE[\\w-]{50,}",
  ]
    .map((form) => `(?<![\\w-])${form}(?!\\w)`)
    .join("|"),
  "g",
);
const PRIVATE_KEY =
  /-----BEGIN (?:[A-Z0-9]{1,10} ){0,3}PRIVATE KEY-----[A-Za-z0-9+/=\s\\]{40,}(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----)?/g;
const HEADER = /\b(Bearer|Basic) +(?=[A-Za-z._~+/-]*\d)([A-Za-z0-9._~+/-]{20,}=*)/g;
/** `NAME=value` of an environment, or `"NAME": "value"`. Names in capitals only: `password = f()` is code. */
const ASSIGNMENT =
  /(?<![\w$.-])([A-Z0-9_]{0,60}(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|API_?KEY|SECRET_KEY|ACCESS_KEY|PRIVATE_KEY|AUTH_KEY))(=\\?["']?|\\?["']\s{0,4}:\s{0,4}\\?["'])((?<=["'])[^"'`\\\n]+|[^\s"'`\\;&|<>(){}[\],$]+)(?=([[({$]?))/g;
const PLACEHOLDER =
  /^(?:[*x.]+|none|null|true|false|undefined)$|example|your|change.?me|placeholder|dummy|redacted|masked/i;

/**
 * What every one of `KEYS`, and every name in `ASSIGNMENT`, holds, and what is found much faster than these: most texts
 * hold none of it. A dash or underscore is looked for first and what stands before it only then.
 */
const KEY_HINT = /[-_](?<=(?:sk-|[sr]k_|gh[pousr]_|pat[-_]|xox[abprs]-|hf_|npm_|pypi-))[A-Za-z0-9_-]{16}/;
const CAPITAL_HINT = /AKIA|ASIA|AIza|(?:PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|KEY)[="'\\]/;

/** The text without what looks like a secret, and how many there were. Rather misses one than masks code. */
export function maskSecrets(text: string): { text: string; count: number } {
  let count = 0;
  const mask = (): string => {
    count++;
    return MASK;
  };
  let masked = text;
  if (text.includes("PRIVATE KEY-----")) masked = masked.replace(PRIVATE_KEY, mask);
  const hasCapitals = CAPITAL_HINT.test(text);
  if (hasCapitals || KEY_HINT.test(text)) masked = masked.replace(KEYS, mask);
  if (text.includes("Bearer ") || text.includes("Basic "))
    masked = masked.replace(HEADER, (_, scheme: string) => `${scheme} ${mask()}`);
  if (hasCapitals)
    masked = masked.replace(
      ASSIGNMENT,
      (whole: string, name: string, sign: string, value: string, next: string) =>
        isSecretValue(name, value) && next === "" ? `${name}${sign}${mask()}` : whole,
    );
  return { text: masked, count };
}

/** A password may be any word; what is called a token or key is often the name of something, but for digits in it. */
function isSecretValue(name: string, value: string): boolean {
  if (PLACEHOLDER.test(value) || /^[\d.]+$|[$<>(){}]/.test(value)) return false;
  return /PASS(?:WORD|WD|PHRASE)$/.test(name) ? value.length >= 4 : value.length >= 12 && /\d/.test(value);
}

/**
 * The trajectory with the secrets in its texts and arguments masked, and one note that counts them. The submission is
 * left: it has to stay the patch that was given.
 */
export function maskTrajectory(trajectory: Trajectory, note: Note): Trajectory {
  let total = 0;
  const events = trajectory.events.map((event) => {
    const { event: masked, count } = maskEvent(event);
    total += count;
    return masked;
  });
  if (total === 0) return trajectory;
  note("secrets_masked", `${total} that look like secrets (keys, tokens, passwords) were masked`);
  return { ...trajectory, events };
}

function maskEvent(event: TrajectoryEvent): { event: TrajectoryEvent; count: number } {
  const { text, count } = maskSecrets(event.text);
  // A command is the text of its call as well.
  const isClean = (given: string): boolean => given === text || maskSecrets(given).count === 0;
  if (count === 0 && everyString(event.arguments, isClean)) return { event, count };
  let inArguments = 0;
  const args = maskStrings(event.arguments, (given) => {
    const masked = maskSecrets(given);
    inArguments += masked.count;
    return masked.text;
  });
  if (count + inArguments === 0) return { event, count: 0 };
  const masked = { ...event, text };
  if (event.arguments !== undefined) masked.arguments = args;
  if (event.command !== undefined) masked.command = maskSecrets(event.command).text;
  // The arguments of a call are its text once more.
  return { event: masked, count: Math.max(count, inArguments) };
}

function maskStrings(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) return value.map((item) => maskStrings(item, mask));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskStrings(item, mask)]));
}
