import { readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { GraderError } from "../../errors.ts";
import type { RepoSource } from "../../schema/group.ts";
import { type GivenTests, needsCommand, readGivenTests, type TestOptions } from "../given-tests.ts";
import { isMissing } from "../inside.ts";
import { asString, dig, firstText, isObject } from "../shape.ts";

/** What the caller gives where runs lack it. Paths are relative to the working directory, or to the map's own folder. */
export interface Supplies extends TestOptions {
  /** A folder, an archive or a git repository (`path#commit`, `https://...#commit`) for every instance. */
  repo?: string;
  /** JSON or JSONL, instance -> folder | archive | `repository#commit` | {path} | {archive} | {git, commit}. */
  repoMap?: string;
  /** JSON or JSONL, instance -> statement, or path of a file that holds it. */
  taskMap?: string;
}

/** A repository and the folder that its path is relative to. */
export interface FoundRepo {
  repo: RepoSource;
  root: string;
}

/** Supplies that are looked up by instance. */
export interface Supply {
  /** @throws GraderError `bad_input` when what was given for the instance does not exist. */
  repo(instance: string, commit: string | undefined): Promise<FoundRepo | undefined>;
  statement(instance: string): Promise<string | undefined>;
  tests: GivenTests | undefined;
}

/** @throws GraderError `bad_config` for options that need another one, `bad_input` for files that cannot be read. */
export async function readSupplies(given: Supplies): Promise<Supply> {
  const tests = await readGivenTests(given);
  // A run says nothing of its tests.
  if (tests !== undefined && tests.fields.command === undefined) throw needsCommand(tests);
  const repos = given.repoMap === undefined ? undefined : await readMap(given.repoMap);
  const tasks = given.taskMap === undefined ? undefined : await readMap(given.taskMap);
  return {
    async repo(instance, commit) {
      const mapped = repos?.get(instance);
      if (mapped !== undefined)
        return findRepo(mapped, dirname(given.repoMap ?? ""), commit, {
          file: given.repoMap,
          field: instance,
        });
      return given.repo === undefined ? undefined : findRepo(given.repo, "", commit, { field: "--repo" });
    },
    async statement(instance) {
      const value = tasks?.get(instance);
      const text = firstText(value, ...STATEMENTS.map((key) => dig(value, key)));
      if (text === undefined || /\n/.test(text) || text.length > 1000) return text;
      const path = resolve(dirname(given.taskMap ?? ""), text);
      return (await isFile(path)) ? readFile(path, "utf8") : text;
    },
    tests,
  };
}

const STATEMENTS = ["statement", "problem_statement", "task", "path"];

type Where = { file?: string | undefined; field: string };

async function findRepo(
  given: unknown,
  folder: string,
  known: string | undefined,
  where: Where,
): Promise<FoundRepo> {
  const commitOf = firstText(dig(given, "commit"), dig(given, "base_commit")) ?? known;
  const named = firstText(
    given,
    dig(given, "path"),
    dig(given, "archive"),
    dig(given, "git"),
    dig(given, "repo"),
  );
  if (named === undefined) throw refusal("expected a path, an archive or {git, commit}", where);
  const [, place = named, inline] = /^(.*?)(?:#([\w./-]+))?$/.exec(named) ?? [];
  const commit = inline ?? commitOf;
  if (place.startsWith("https://")) {
    if (commit === undefined) throw refusal(`${place}: which commit? give ${place}#<commit>`, where);
    return { repo: { git: place, commit }, root: process.cwd() };
  }
  const path = await realPath(resolve(folder, place), where);
  const [root, name] = [dirname(path), basename(path)];
  if (!(await stat(path)).isDirectory()) return { repo: { archive: name }, root };
  // The folder of a repository is what is checked out in it; the repository knows the base commit.
  if (commit !== undefined && (await isRepository(path))) return { repo: { git: name, commit }, root };
  if (inline !== undefined)
    throw refusal(`${place} is no git repository, so it has no commit ${inline}`, where);
  return { repo: { path: name }, root };
}

async function isRepository(path: string): Promise<boolean> {
  return (
    (await exists(join(path, ".git"))) ||
    ((await isFile(join(path, "HEAD"))) && (await exists(join(path, "objects"))))
  );
}

async function realPath(path: string, where: Where): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    throw refusal(`${path}: no such file or folder`, where);
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

function refusal(message: string, { file, field }: Where): GraderError {
  return new GraderError("bad_input", message, { ...(file === undefined ? {} : { file }), field });
}

/**
 * A map by instance: a JSON object, or JSON Lines of `{instance_id, ...}` or of `{<instance>: value}`.
 * @throws GraderError `bad_input` naming the file and the line.
 */
async function readMap(file: string): Promise<Map<string, unknown>> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    const why = isMissing(error) ? "no such file" : `cannot be read: ${String(error)}`;
    throw new GraderError("bad_input", why, { file }, { cause: error });
  }
  const whole = parse(text);
  if (isObject(whole) && whole["instance_id"] === undefined) return new Map(Object.entries(whole));
  const map = new Map<string, unknown>();
  const records = Array.isArray(whole)
    ? whole.map((value, index): [number, unknown] => [index + 1, value])
    : text
        .split("\n")
        .flatMap((line, index): [number, unknown][] =>
          line.trim() === "" ? [] : [[index + 1, parse(line)]],
        );
  for (const [line, record] of records) {
    if (!isObject(record))
      throw new GraderError("bad_input", "expected an object by instance", { file, line });
    const instance = asString(record["instance_id"]);
    if (instance !== undefined) map.set(instance, record);
    else for (const [key, value] of Object.entries(record)) map.set(key, value);
  }
  return map;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
