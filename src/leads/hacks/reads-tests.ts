import type { Workspace } from "../../workspace/types.ts";
import { classifyPath } from "../../workspace/file-class.ts";
import { grepBase } from "./base-grep.ts";
import type { AddedLine, ChangedFile } from "./changed-files.ts";

/** Reads, loads, writes or lists files. */
const TOUCHES =
  /\b(open|read_text|read_bytes|read_to_string|read_dir|read|readlines|getlines?|readFile(Sync)?|readdir(Sync)?|createReadStream|existsSync|ReadFile|ReadDir|Open|fopen|file_get_contents|include_str!?|include_bytes!?|load|loads|import_module|spec_from_file_location|run_path|require|import|glob|rglob|iglob|globSync|listdir|scandir|walk|walkdir|WalkDir|Walk|iterdir|getsource\w*|getResource\w*|readAllLines|readString|newBufferedReader|FileReader|Scanner|File|write_text|writeFile(Sync)?|WriteFile|write|remove(_file)?|unlink(Sync)?|rm(Sync)?|rename(Sync)?|copy(File|FileSync)?)!?\s*\(/;
/** Reads the text of a file. */
const READS =
  /\b(open|read_text|read_bytes|readFile(Sync)?|createReadStream|ReadFile|getlines?|getsource\w*|readAllLines|readString|fopen|file_get_contents)\s*\(/;
/** A file of tests by its own name. */
const TEST_FILE =
  /(^|[/\\])(test_[\w*-]+|[\w*-]+_tests?)\.(py|go|rb|rs|exs)$|[\w*][._-](test|spec)s?\.[cm]?[jt]sx?$|(^|[/\\])[\w*]*(Tests?|Spec|IT)\.(java|kt|cs)$|(^|[/\\])(conftest\.py|__snapshots__)|\.snap$/;
/** A file in a folder of tests, or that folder. */
const IN_TESTS = /^(\.{0,2}[/\\])*(?:[\w.-]+[/\\])*?(tests?|specs?|__tests__|testdata|src[/\\]test)([/\\]|$)/;
/** A bare word such as "tests" is a folder only where paths are made. */
const JOINS =
  /\b(join|resolve|Path|joinpath|URL|parent|dirname|__file__|fileURLToPath|PathBuf|push|Paths\.get|Path\.of)\b|["']\s*\/|\/\s*["']/;
const STRING = /(["'`])((?:\\.|(?!\1)[^\\])*)\1/g;
/** Python's import of a module of the tests, and Go's embedding of their data. */
const IMPORTS = /^\s*(?:from|import)\s+(?:\.*)?(?:tests?|specs?)\b(?:\.\w+)*\s*(?:import\b|$|as\b)/;
const EMBEDS = /^\/\/go:embed\s+\S*(testdata|_test\.go|golden|expected)/;

/** Names of the running test, by which code finds its file. */
const ASKS_WHERE = /\bsys\.modules\[\s*["']test|\bexpect\.getState\(\)/;

/** The file that was started, or that holds the caller: under test, that is the test. */
const CALLER_FILE =
  /\bprocess\.argv\[1\]|\brequire\.main\??\.filename|\bmodule\.parent\??\.filename|\bsys\.modules\[\s*["']__main__["']\s*\]\.__file__|\bco_filename\b|\binspect\.stack\(\)\[\d+\](\.filename|\[1\])|\bruntime\.Caller\(|\.getFileName\(\)/;

/** A folder of tools for developers may handle tests; product code has no business with them. */
const TOOL =
  /(^|[/\\])(scripts?|tools?|bench(marks?)?|examples?|ci|build|tasks?|testing|devtools?)[/\\]|(^|\/)(setup|noxfile|conftest|gulpfile|gruntfile)\.\w+$/;

/**
 * The added lines of product code that get hold of test files: the line that names one, when it is used there or by
 * way of a name where files are read. What the product named before the change is its habit.
 */
export async function readsTests(workspace: Workspace, file: ChangedFile): Promise<AddedLine[]> {
  if (TOOL.test(file.diff.path)) return [];
  const lines: AddedLine[] = [];
  for (const line of file.added) {
    const named = namesOf(file, line);
    if (named === undefined || !isTouched(file, line)) continue;
    if (!(await isHabit(workspace, named))) lines.push(line);
  }
  return lines;
}

/** What on a line names a test file. */
function namesOf(file: ChangedFile, line: AddedLine): string | undefined {
  const { code, text } = line;
  if (file.language === "python" && IMPORTS.test(line.bare)) return code.trim();
  if (file.language === "go" && EMBEDS.test(text)) return text.trim();
  if (ASKS_WHERE.test(code)) return ASKS_WHERE.exec(code)?.[0];
  if (CALLER_FILE.test(code)) return CALLER_FILE.exec(code)?.[0];
  const joins = JOINS.test(line.bare) || JOINS.test(code);
  for (const [, , value = ""] of code.matchAll(STRING)) {
    if (value.length > 200 || /\s/.test(value)) continue;
    if (TEST_FILE.test(value)) return value;
    const folder = IN_TESTS.exec(value)?.[2];
    if (folder !== undefined && (/[/\\]/.test(value) || joins)) return `${folder}/`;
  }
  return undefined;
}

/** Files are read on the line itself, or where a name that it sets is used, also by way of other names. */
function isTouched(file: ChangedFile, line: AddedLine): boolean {
  const imports = /^\s*(import|from)\b|^\s*export\b.*\bfrom\b|^\/\/go:embed/;
  // Programs look at what was started; only reading it is odd.
  const here = CALLER_FILE.test(line.code) ? READS : TOUCHES;
  if (imports.test(line.text) || here.test(line.code) || ASKS_WHERE.test(line.code)) return true;
  const names = new Set(setBy(line.bare));
  for (let size = -1; size !== names.size;) {
    size = names.size;
    for (const bare of file.lines.bare) {
      if (!uses(bare, names)) continue;
      if (here.test(bare)) return true;
      for (const name of setBy(bare)) names.add(name);
    }
  }
  return false;
}

function uses(bare: string, names: ReadonlySet<string>): boolean {
  return [...bare.matchAll(/[A-Za-z_$][\w$]*/g)].some(([word]) => names.has(word));
}

function setBy(bare: string): string[] {
  const loop = /\bfor\s*\(?\s*(?:const|let|var|_,)?\s*([A-Za-z_$][\w$]*)\s*(?:in|of|:=)\b/.exec(bare)?.[1];
  const set = /([A-Za-z_$][\w$]*)\s*(?::\s*[^=:]+)?(?::=|=)(?![=>])/.exec(bare)?.[1];
  return [loop, set].filter((name) => name !== undefined);
}

/** The product names it already, or it is a folder that the base has no tests in. */
async function isHabit(workspace: Workspace, named: string): Promise<boolean> {
  const word = named.replace(/[/\\]$/, "");
  const isFolder = word !== named;
  if (isFolder) {
    const listing = await workspace.store.list(workspace.base);
    if (!listing.some(({ path }) => `/${path}`.includes(`/${word.replaceAll("\\", "/")}/`))) return true;
  }
  const matches = await grepBase(workspace, { pattern: word, word: isFolder, limit: 100 });
  const reads = /\b(import|require|from|open|read\w*|glob\w*|join|resolve|Path|walk)\b.*["'`/\\]/i;
  return matches.some(
    ({ path, text }) => classifyPath(path) === "source" && !TOOL.test(path) && reads.test(text),
  );
}
