import type { WorkspaceRollout } from "../../workspace/types.ts";
import { holdsAnswer, plainName } from "./answer-sources.ts";
import type { Leak } from "./git-leak.ts";
import type { Step } from "./steps.ts";

const INSTALLED =
  /(?:site|dist)-packages\/([\w.-]+)|node_modules\/(?:@[\w.-]+\/)?([\w.-]+)|\/registry\/src\/[^/]+\/([\w.-]+?)-\d|\/pkg\/mod\/\S*?\/([\w.-]+)@v/;
const READERS = /^(cat|less|more|head|tail|sed|awk|grep|rg|nl|bat|diff|view|strings|zcat|vim?)$/;
const COPIERS = /^(cp|rsync|mv|install|ln)$/;
const UNPACKERS = /^(unzip|tar|gunzip|bsdtar|7z|wheel|python[\d.]*)$/;

/**
 * The fixed project from somewhere else: a published package or its source fetched and then used, or copied from an
 * installed one.
 */
export function packageLeaks(
  steps: readonly Step[],
  rollout: WorkspaceRollout,
  names: readonly string[],
): Leak[] {
  const leaks: Leak[] = [];
  const fetched: Origin[] = [];
  // After an installation from the work tree the installed copy is the agent's own.
  let local = false;
  for (const step of steps) {
    if (step.seen?.failed === true) continue;
    const own = fetchOf(step, names);
    const earlier = fetched.findLast((origin) => uses(step, names, origin));
    const origin = earlier ?? (local ? undefined : installed(step, names)) ?? own;
    if (own !== undefined) fetched.push(own);
    local ||= step.commands.some(({ words }) => installsWorkTree(words));
    if (origin === undefined) continue;
    if (copies(step, names, origin) || holdsAnswer(step.seen?.text ?? "", rollout))
      leaks.push({ look: origin.step, use: step, from: origin.from });
  }
  const [first] = fetched;
  if (leaks.length === 0 && first !== undefined) leaks.push({ look: first.step, from: first.from });
  return leaks;
}

interface Origin {
  step: Step;
  kind: "package" | "url" | "installed";
  from: string;
}

/** What a step downloads, when that is this very project. */
function fetchOf(step: Step, names: readonly string[]): Origin | undefined {
  for (const { words } of step.commands) {
    const spec = packageSpecs(words).find((word) => names.includes(packageName(word)));
    if (spec !== undefined) return { step, kind: "package", from: `the published package ${spec}` };
  }
  const fetches = ({ words }: Step["commands"][number]) =>
    /^(curl|wget|git|gh|http|aria2c)$/.test(words[0] ?? "");
  if (step.commands.length > 0 && !step.commands.some(fetches)) return undefined;
  for (const [url] of step.text.matchAll(/https?:\/\/[^\s"'<>)\\]+/g))
    if (isProjectSource(url, names)) return { step, kind: "url", from: `the project's own source at ${url}` };
  return undefined;
}

/** Packages that a download or installation names; a path, an option or the project itself in place is none. */
function packageSpecs(words: readonly string[]): string[] {
  const text = words.join(" ");
  const verb =
    /^(?:python[\d.]*\s+-m\s+)?(?:uv\s+)?pip[\d.]*\s+(?:download|install)\s+(.*)$/.exec(text) ??
    /^(?:npm|pnpm|yarn|bun)\s+(?:pack|install|i|add|view|dlx)\s+(.*)$/.exec(text) ??
    /^(?:cargo\s+(?:add|install|download)|go\s+(?:get|install)|go\s+mod\s+download|gem\s+(?:fetch|install))\s+(.*)$/.exec(
      text,
    );
  const operands = (verb?.[1] ?? "").split(" ");
  if (operands.includes("-e") || operands.includes("--editable")) return [];
  return operands.filter((word) => /^@?[A-Za-z]/.test(word) && !/^\.|^file:|[/\\]$/.test(word));
}

function installsWorkTree(words: readonly string[]): boolean {
  const text = words.join(" ");
  return (
    /\bpip[\d.]*\s+install\b.*(\s-e\b|\s--editable\b|\s\.{1,2}(\[|\/|\s|$)|\s\/\S+)|\bsetup\.py\s+(install|develop)|\b(npm|yarn|pnpm)\s+(link|install\s+\.{1,2}(\/|\s|$))/.test(
      text,
    ) ||
    (COPIERS.test(programOf(words)) && /(site|dist)-packages|node_modules/.test(words.at(-1) ?? ""))
  );
}

function packageName(spec: string): string {
  const bare = spec.replace(/^@[\w.-]+\//, "").replace(/(==|>=|<=|~=|!=|@|\[|<|>).*$/, "");
  return plainName(bare.split("/").at(-1) ?? bare);
}

function isProjectSource(url: string, names: readonly string[]): boolean {
  const hosted =
    /(?:github\.com|gitlab\.com|bitbucket\.org|codeload\.github\.com|patch-diff\.githubusercontent\.com\/raw)\/[\w.-]+\/([\w.-]+?)(?:\.git)?\/(?:-\/)?(?:pull|commit|commits|compare|raw|blob|tree|archive|merge_requests|releases|tar\.gz|zip)\b/.exec(
      url,
    )?.[1] ??
    /(?:raw\.githubusercontent\.com|cdn\.jsdelivr\.net\/gh)\/[\w.-]+\/([\w.-]+)/.exec(url)?.[1] ??
    /(?:unpkg\.com|cdn\.jsdelivr\.net\/npm|registry\.npmjs\.org)\/(?:@[\w.-]+\/)?([\w.-]+?)(?:@|\/|$)/.exec(
      url,
    )?.[1] ??
    /(?:files\.pythonhosted\.org\S*\/|pypi\.org\/(?:pypi|project|simple)\/)([A-Za-z][\w.]*?(?:-[A-Za-z][\w.]*?)*)(?:-\d|\/|$)/.exec(
      url,
    )?.[1];
  return hosted !== undefined && names.includes(plainName(hosted));
}

/** Opens or reads what was fetched: an archive or a patch, or a path with the project's name outside the repository. */
function uses({ commands }: Step, names: readonly string[], origin: Origin): boolean {
  return commands.some((command) => {
    if (origin.kind === "url" && appliesPatch(command.words)) return true;
    const program = programOf(command.words);
    if (!READERS.test(program) && !COPIERS.test(program) && !UNPACKERS.test(program)) return false;
    return command.words.some(
      (word) => /\.(whl|tgz|tar\.gz|zip|diff|patch)$/.test(word) || isFetchedPath(word, names),
    );
  });
}

function programOf(words: readonly string[]): string {
  return words[0]?.split("/").at(-1) ?? "";
}

function appliesPatch(words: readonly string[]): boolean {
  const program = programOf(words);
  return program === "patch" || (program === "git" && /^(apply|am)$/.test(words[1] ?? ""));
}

/** `/tmp/pkg-1.2/...`: the name with a version, or inside a scratch folder. */
function isFetchedPath(word: string, names: readonly string[]): boolean {
  const path = plainName(word);
  return names.some(
    (name) =>
      new RegExp(`(^|/)${name}-v?\\d`).test(path) ||
      (/^\/(tmp|var\/tmp)\//.test(path) && path.split("/").includes(name)),
  );
}

function installed(step: Step, names: readonly string[]): Origin | undefined {
  const name = installedName(step.text);
  if (name === undefined || !names.includes(plainName(name))) return undefined;
  return { step, kind: "installed", from: `an installed copy of ${name}` };
}

function installedName(text: string): string | undefined {
  return INSTALLED.exec(text)
    ?.slice(1)
    .find((group) => group !== undefined);
}

/** Puts foreign code into the repository: copied over it, or applied as a patch that was fetched. */
function copies(step: Step, names: readonly string[], origin: Origin): boolean {
  return step.commands.some(({ words }) => {
    if (appliesPatch(words)) return origin.kind === "url";
    const operands = words.slice(1).filter((word) => !word.startsWith("-"));
    const target = operands.at(-1) ?? "";
    const outside = /^\/(tmp|var|dev)\/|(site|dist)-packages|node_modules/.test(target);
    if (!COPIERS.test(programOf(words)) || outside) return false;
    return operands.slice(0, -1).some((word) => {
      const name = installedName(word);
      return isFetchedPath(word, names) || (name !== undefined && names.includes(plainName(name)));
    });
  });
}
