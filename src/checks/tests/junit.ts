import { xmlTags } from "../../xml.ts";
import { merged, relative, type TestResult } from "./results.ts";

/**
 * The test cases of a JUnit XML report, or undefined for a text that is none or that ends early. Totals that the file
 * claims count for nothing. A case is failed or skipped by its first child of that kind.
 */
export function readJunit(text: string): TestResult[] | undefined {
  const results: TestResult[] = [];
  const suites: string[] = [];
  let open: TestResult | undefined;
  let depth = 0;
  let whole = false;
  for (const { name, kind, attributes } of xmlTags(text)) {
    if (name === "testsuites" || name === "testsuite") {
      if (kind === "open") {
        depth += 1;
        suites.push(name === "testsuite" ? (attributes.get("name") ?? "") : "");
      } else if (kind === "close") {
        depth -= 1;
        suites.pop();
      }
      whole = depth === 0;
    } else if (depth === 0) continue;
    else if (name === "testcase") {
      if (open !== undefined && kind !== "close") return undefined;
      if (kind !== "close") results.push((open = caseOf(attributes, suites)));
      if (kind !== "open") open = undefined;
    } else if (open?.status === "passed" && kind !== "close") {
      if (name === "skipped") open.status = "skipped";
      if (name === "failure" || name === "error") {
        open.status = "failed";
        const message = attributes.get("message") ?? "";
        if (message === "collection failure") open.load = true;
        if (name === "error" && message.startsWith("failed on setup")) open.setup = true;
      }
    }
  }
  return whole && open === undefined ? merged(results) : undefined;
}

function caseOf(attributes: ReadonlyMap<string, string>, suites: readonly string[]): TestResult {
  const name = attributes.get("name") ?? "";
  const className = attributes.get("classname") ?? "";
  const path = attributes.get("file");
  const file = path === undefined ? {} : { file: relative(path) };
  if (file.file?.endsWith(".py") === true)
    return { id: nodeId(file.file, className, name), status: "passed", ...file };
  // node:test gives every case the class "test", names its suites, and tells a file that cannot be loaded by its path.
  const parts =
    className === "" || className === "test" ? suites.filter((suite) => suite !== "") : [className];
  const isFile = /^\/.*\.[cm]?[jt]s$/.test(name);
  return {
    id: [...parts, isFile ? relative(name) : name].join(" > "),
    status: "passed",
    ...file,
    ...(isFile ? { load: true } : {}),
  };
}

/** pytest's own id: the file, the classes in it, the name; the file alone where it could not be loaded. */
function nodeId(file: string, className: string, name: string): string {
  if (className === "") return file;
  const module = file.replace(/\.py$/, "").replaceAll("/", ".");
  const classes =
    className === module
      ? ""
      : className.startsWith(`${module}.`)
        ? className.slice(module.length + 1)
        : className;
  return [file, ...(classes === "" ? [] : classes.split(".")), name].join("::");
}
