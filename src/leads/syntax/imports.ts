import { isScript, type Language } from "./language.ts";

/** `a, b as c, { d: e }` -> a, c, e */
function localNames(list: string, alias: RegExp): string[] {
  return list
    .split(",")
    .map((part) => part.trim().replace(/^type\s+/, ""))
    .map((part) => (alias.exec(part)?.[1] ?? part).trim())
    .filter((name) => /^[A-Za-z_$][\w$]*$/.test(name));
}

/** Names that an import on one line binds; none for a line that is no import, or is one part of a longer one. */
export function importedNames(line: string, language: Language): string[] {
  if (language === "python") {
    const from = /^\s*from\s+[\w.]+\s+import\s+\(?([^()]+)\)?\s*$/.exec(line)?.[1];
    const plain = /^\s*import\s+([\w., ]+)$/.exec(line)?.[1];
    if (from !== undefined) return localNames(from, /\bas\s+(\w+)$/);
    // `import a.b` binds `a`.
    return plain === undefined
      ? []
      : localNames(plain.replaceAll(/(\w+)(?:\.\w+)+(?!\s+as)/g, "$1"), /\bas\s+(\w+)$/);
  }
  if (isScript(language)) {
    const clause =
      /^\s*import\s+(?:type\s+)?(.+?)\s+from\s*["']/.exec(line)?.[1] ??
      /^\s*(?:const|let|var)\s+(.+?)\s*=\s*require\s*\(/.exec(line)?.[1];
    return clause === undefined
      ? []
      : localNames(
          clause.replaceAll(/[{}]/g, ",").replaceAll(/\*\s+as\s+/g, ""),
          /(?:\bas\s+|:\s*)([\w$]+)$/,
        );
  }
  if (language === "java" || language === "kotlin") {
    const name = /^\s*import\s+(?:static\s+)?[\w.]+\.(\w+)\s*;?\s*$/.exec(line)?.[1];
    return name === undefined ? [] : [name];
  }
  return [];
}
