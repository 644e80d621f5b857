import { INPUT_DIR, WORK_DIR, type Command, type FileEntry } from "../sandbox/types.ts";
import { CHECK_FOLDER } from "./over.ts";

export const LANGUAGES = ["python", "node", "shell"] as const;
export type Language = (typeof LANGUAGES)[number];

export interface Script {
  text: string;
  language: Language;
  /** Path in the tree to lay the script at, where a tool demands it to be there. */
  path?: string | undefined;
  /** For a shell; `$CHECK` is the script's path. Default: the language's program. */
  command?: string | undefined;
}

const EXTENSION: Record<Language, string> = { python: "py", node: "mjs", shell: "sh" };

/** The same hashes in every run, so that the order of a set does not look like a difference between two rollouts. */
const ENV = { PYTHONHASHSEED: "0", PYTHONDONTWRITEBYTECODE: "1", NO_COLOR: "1" };

export interface PreparedScript {
  files: FileEntry[];
  over: FileEntry[];
  command: Pick<Command, "argv" | "env">;
}

/**
 * Where a script lies and how it is run. It lies where code under test cannot write. Node resolves relative imports from
 * the script, so it finds it under a name in the repository's root; Python finds the root by its path.
 *
 * @param root - The repository's root, where the script is run.
 */
export function prepareScript(
  { text, language, path, command }: Script,
  root: string = WORK_DIR,
): PreparedScript {
  const name = `check.${EXTENSION[language]}`;
  const outside = `${INPUT_DIR}/${CHECK_FOLDER}/${name}`;
  const script: FileEntry = {
    path: path ?? name,
    kind: "file",
    executable: false,
    content: Buffer.from(text),
  };
  const link = `.gagar-${name}`;
  const linked = language === "node" && path === undefined;
  const at = path ?? (linked ? link : outside);
  const programs: Record<Language, [string, ...string[]]> = {
    python: ["python3", at],
    node: ["node", "--preserve-symlinks-main", at],
    shell: ["sh", at],
  };
  const argv: [string, ...string[]] = command === undefined ? programs[language] : ["sh", "-c", command];
  return {
    files: path === undefined ? [script] : [],
    over:
      path !== undefined
        ? [script]
        : linked
          ? [{ path: link, kind: "symlink", target: Buffer.from(outside) }]
          : [],
    command: { argv, env: { ...ENV, PYTHONPATH: root, CHECK: at } },
  };
}
