/** Files that are nothing but a runner's configuration, or code that it loads before any test. */
const CONFIG =
  /(^|\/)(conftest\.py|\.?pytest\.(ini|toml)|(jest|vitest)\.(config|workspace|setup|preset)\.[^/]+|jest-(preset|setup)[^/]*|setup-?tests?\.[cm]?[jt]sx?|\.mocharc[^/]*|mocha\.opts|karma\.conf\.[^/]+|\.?nycrc[^/]*|\.c8rc[^/]*|\.coveragerc|ava\.config\.[^/]+|\.taprc|nextest\.toml|\.npmrc)$|(^|\/)\.cargo\/config(\.toml)?$/i;

/** What an interpreter or a package manager loads by itself. */
const LOADED =
  /(^|\/)[^/]+\.(dist|egg)-info\/|\.(pth|egg-link)$|(^|\/)(sitecustomize|usercustomize)(\.py|\/__init__\.py)$|(^|\/)node_modules\/(\.bin\/|@(jest|vitest)\/|(jest|mocha|vitest|chai|expect|assert|ava|tape|tap|jasmine|karma|uvu|should|sinon|power-assert)(-[\w-]+)?\/)/i;

/** Modules that stand before the runner's own, up to the end of their name. */
const SHADOW =
  /^(?:(?:src|lib|tests?|testing|python)\/)?(?:_?pytest|unittest2?|nose2?|pluggy|doctest|iniconfig)(?=\.(?:py|pyc|so)$|\/)/;

/** Test files by the names under which runners find them. */
const MODULE =
  /(^|\/)(test_[^/]*|tests?)\.py$|_tests?\.(py|go)$|[._-](test|spec)s?\.[cm]?[jt]sx?$|(^|\/)__tests__\/.*\.[cm]?[jt]sx?$|(^|\/)test\/.*\.[cm]?js$|(^|\/)test(-[^/]*)?\.[cm]?js$|^tests\/[^/]+\.rs$/;

/** Where a file is a runner's only in part. */
const SECTIONS: readonly { path: RegExp; section: RegExp }[] = [
  { path: /(^|\/)pyproject\.toml$/, section: /^\[tool\.(pytest|coverage)\b/ },
  { path: /(^|\/)setup\.cfg$/, section: /^\[(tool:pytest|pytest|aliases|coverage:.*|nosetests|unittest)\]/ },
  { path: /(^|\/)tox\.ini$/, section: /^\[(pytest|testenv.*|tox|coverage:.*)\]/ },
];

/** Parts of package.json that say how tests are run. */
const SCRIPT_KEYS = ["scripts", "jest", "mocha", "vitest", "ava", "tap", "nyc", "c8"];

/** What a changed file is to a run of the tests. Undefined: part of the code under test. */
export type RunnerPart = "config" | "loaded" | "sections" | "module";

/**
 * @param command - How the tests are run.
 * @param known - Whether the base has a file whose path starts like this: a project that is the runner is no shadow of it.
 */
export function runnerPart(
  path: string,
  command: string,
  known: (start: string) => boolean,
): RunnerPart | undefined {
  if (CONFIG.test(path) || isHarness(path, command, known)) return "config";
  const shadow = SHADOW.exec(path)?.[0];
  if (LOADED.test(path) || (shadow !== undefined && !known(`${shadow}.`) && !known(`${shadow}/`)))
    return "loaded";
  if (/(^|\/)package\.json$/.test(path) || SECTIONS.some((one) => one.path.test(path))) return "sections";
  return MODULE.test(path) && !command.includes(path) ? "module" : undefined;
}

/** The file that the command itself starts: a Makefile, a configuration of Vite under vitest, a script of tests. */
function isHarness(path: string, command: string, known: (start: string) => boolean): boolean {
  if (/^(?:GNU)?[Mm]akefile$/.test(path)) return /(?:^|[;&|]\s*)make\b/.test(command);
  if (/(^|\/)vite\.config\.[^/]+$/.test(path)) return /\bvitest\b/.test(command);
  if (path === "noxfile.py") return /\bnox\b/.test(command);
  return (
    /^[\w./-]*(test|check|spec)s?(\.\w+)?$/i.test(path) &&
    command.split(/\s+(?:\.\/)?|^\.\//).includes(path) &&
    (!MODULE.test(path) || known(path))
  );
}

/**
 * A file's text with the runner's parts of another one. Undefined where both say the same of the runner, or the text
 * cannot be read.
 *
 * @param trusted - Text of the base; undefined when it has no such file.
 */
export function withRunnerSections(
  path: string,
  text: string,
  trusted: string | undefined,
): string | undefined {
  if (path.endsWith("package.json")) return trusted === undefined ? undefined : withScripts(text, trusted);
  const rule = SECTIONS.find((one) => one.path.test(path));
  if (rule === undefined) return undefined;
  const [own, theirs] = [splitSections(text), splitSections(trusted ?? "")];
  const isRunners = ({ header }: Section) => rule.section.test(header);
  const [wanted, found] = [theirs, own].map((sections) => sections.filter(isRunners).map(({ body }) => body));
  if (normal(wanted) === normal(found)) return undefined;
  const kept = own.filter((section) => !isRunners(section)).map(({ body }) => body);
  return [...kept, ...(wanted ?? [])].map((body) => (body.endsWith("\n") ? body : `${body}\n`)).join("");
}

const normal = (bodies: readonly string[] | undefined) =>
  (bodies ?? [])
    .map((body) => body.replaceAll(/\s*\n\s*/g, "\n").trim())
    .sort()
    .join("\n");

interface Section {
  header: string;
  /** With its header. */
  body: string;
}

/** The sections of an INI or TOML file; what comes before the first has no header. */
function splitSections(text: string): Section[] {
  const sections: Section[] = [{ header: "", body: "" }];
  for (const line of text.split(/(?<=\n)/)) {
    const last = sections.at(-1);
    if (/^\[[^\]\n]+\]\]?\s*(?:[#;].*)?$/.test(line)) sections.push({ header: line.trim(), body: line });
    else if (last !== undefined) last.body += line;
  }
  return sections.filter(({ body }) => body !== "");
}

function withScripts(text: string, trusted: string): string | undefined {
  const [own, base] = [record(text), record(trusted)];
  if (own === undefined || base === undefined) return undefined;
  const part = (from: Record<string, unknown>) => SCRIPT_KEYS.map((key) => from[key] ?? null);
  if (JSON.stringify(part(own)) === JSON.stringify(part(base))) return undefined;
  const kept = Object.entries(own).filter(([key]) => !SCRIPT_KEYS.includes(key));
  const put = Object.entries(base).filter(([key]) => SCRIPT_KEYS.includes(key));
  return `${JSON.stringify(Object.fromEntries([...kept, ...put]), null, 2)}\n`;
}

function record(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
