import type { Param } from "./params.ts";

/** A function, method or class as a file declares it. */
export interface Definition {
  kind: "function" | "class";
  name: string;
  /** Names of the enclosing definitions, outermost first. */
  parents: string[];
  /** First and last line, 1-based; decorators and comments above are not part of it. */
  line: number;
  endLine: number;
  /** Offsets of the whole definition and of its body in the text. */
  start: number;
  end: number;
  bodyStart: number;
  params: Param[];
  /** Declared inside a function, so nothing outside can name it. */
  local: boolean;
  /** Other files may use it: by the language's own rule, or by the convention that a leading underscore hides. */
  exported: boolean;
  decorated: boolean;
  /** Reached by another name than its own: as a property of what holds it, or as its module's default export. */
  aliased: boolean;
  /** A class with a base, or a member of one: its names may answer calls from the base. */
  inherits: boolean;
}

/** Definitions nested deeper than this are left out: each one carries the names around it. */
export const MAX_DEPTH = 40;

/** `Outer.inner`: how a definition is matched between two versions of a file. */
export function qualifiedName(definition: Definition): string {
  return [...definition.parents, definition.name].join(".");
}

/** Whether a file declares a function or class of this name. */
export function isDeclared(definitions: readonly Definition[], name: string): boolean {
  return definitions.some((definition) => definition.name === name);
}
