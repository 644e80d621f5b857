/** Languages that the detectors can read, by how their tokens and blocks look. */
export type Language =
  | "python"
  | "javascript"
  | "typescript"
  | "tsx"
  | "go"
  | "rust"
  | "java"
  | "kotlin"
  | "csharp"
  | "swift"
  | "scala"
  | "php"
  | "c"
  | "ruby"
  | "shell";

const BY_EXTENSION: Record<string, Language> = {
  py: "python",
  pyi: "python",
  js: "javascript",
  cjs: "javascript",
  mjs: "javascript",
  jsx: "tsx",
  ts: "typescript",
  mts: "typescript",
  cts: "typescript",
  tsx: "tsx",
  go: "go",
  rs: "rust",
  java: "java",
  kt: "kotlin",
  kts: "kotlin",
  cs: "csharp",
  swift: "swift",
  scala: "scala",
  php: "php",
  c: "c",
  h: "c",
  cc: "c",
  cpp: "c",
  cxx: "c",
  hpp: "c",
  hh: "c",
  rb: "ruby",
  sh: "shell",
  bash: "shell",
  zsh: "shell",
};

/** The language of a file, by its extension alone. */
export function languageOf(path: string): Language | undefined {
  const extension = /\.([A-Za-z]+)$/.exec(path)?.[1];
  return extension === undefined ? undefined : BY_EXTENSION[extension.toLowerCase()];
}

/** True for JavaScript and its typed forms. */
export function isScript(language: Language): language is "javascript" | "typescript" | "tsx" {
  return language === "javascript" || language === "typescript" || language === "tsx";
}

/** True where indentation, not a brace, closes a block. */
export function isIndented(language: Language): boolean {
  return language === "python";
}

/** True where `#` begins a comment; every other language here has `//` and a slash-star pair. */
export function hasHashComments(language: Language): boolean {
  return language === "python" || language === "ruby" || language === "shell";
}

/** Languages that write code on both sides of one runtime: a helper of one can be called from the other. */
export function sameFamily(a: Language, b: Language): boolean {
  return (
    a === b ||
    (isScript(a) && isScript(b)) ||
    ((a === "java" || a === "kotlin") && (b === "java" || b === "kotlin"))
  );
}
