import { isScript, type Language } from "./language.ts";
import { code, lex } from "./lex.ts";
import { MAX_DEPTH, type Definition } from "./definition.ts";
import { parseParams } from "./params.ts";
import type { Node } from "./parser.ts";

const KINDS = {
  python: ["function_definition", "class_definition"],
  script: [
    "function_declaration",
    "generator_function_declaration",
    "function_expression",
    "arrow_function",
    "method_definition",
    "class_declaration",
    "class",
  ],
  typed: ["abstract_class_declaration", "interface_declaration"],
};

const CLASS = /class|interface/;
/** A node that gives its name to the function or class that is its value. */
const NAMING = new Set([
  "variable_declarator",
  "pair",
  "assignment_expression",
  "field_definition",
  "public_field_definition",
]);

function namingParent(node: Node): Node | undefined {
  const parent = node.parent();
  return parent !== null && NAMING.has(String(parent.kind())) ? parent : undefined;
}

function nameOf(node: Node): string {
  const own = node.field("name");
  if (own !== null) return own.text();
  const parent = namingParent(node);
  if (parent === undefined) return "";
  const label =
    parent.field("name") ?? parent.field("key") ?? parent.field("property") ?? parent.field("left");
  return /[#\w$]+$/.exec(label?.text().replaceAll(/['"]/g, "") ?? "")?.[0] ?? "";
}

function paramsText(node: Node): string {
  const list = node.field("parameters");
  if (list !== null) return list.text().replace(/^\(|\)$/g, "");
  return node.field("parameter")?.text() ?? "";
}

/** Tokens of one export list that are read. */
const MAX_NAMES = 2000;

/** Names that a CommonJS or `export { ... }` statement hands out. */
function exportedNames(text: string, language: Language): Set<string> {
  const tokens = code(lex(text, language));
  const names = new Set<string>();
  for (const [at, token] of tokens.entries()) {
    const [next, second] = [tokens[at + 1], tokens[at + 2]];
    if (token.text === "export" && next?.text === "default" && second !== undefined) names.add(second.text);
    const list = token.text === "export" && next?.text === "{" ? at + 2 : undefined;
    const equals =
      token.text === "exports" ? [1, 2, 3].find((step) => tokens[at + step]?.text === "=") : undefined;
    const value = equals === undefined ? undefined : tokens[at + equals + 1];
    if (value !== undefined && value.text !== "{") names.add(value.text);
    const from = list ?? (equals !== undefined && value?.text === "{" ? at + equals + 2 : undefined);
    if (from === undefined) continue;
    for (const name of tokens.slice(from, from + MAX_NAMES)) {
      if (name.text === "}") break;
      if (name.kind === "name") names.add(name.text);
    }
  }
  return names;
}

function hasBase(node: Node, language: Language): boolean {
  if (language === "python")
    return (
      (node
        .field("superclasses")
        ?.text()
        .replaceAll(/[()\s]/g, "") ?? "") !== ""
    );
  return node.children().some((child) => /heritage|extends/.test(String(child.kind())));
}

function isExported(node: Node, name: string, names: ReadonlySet<string>): boolean {
  if (names.has(name)) return true;
  const holder = namingParent(node);
  const left = holder?.field("left")?.text() ?? "";
  if (/^(?:module\.)?exports\b/.test(left)) return true;
  const statement = holder === undefined ? node : (holder.parent() ?? holder);
  return statement.parent()?.kind() === "export_statement";
}

/** Definitions from a syntax tree, in text order. */
export function outlineTree(root: Node, text: string, language: Language): Definition[] {
  const script = language === "javascript" ? KINDS.script : [...KINDS.script, ...KINDS.typed];
  const kinds = language === "python" ? KINDS.python : script;
  const nodes = root.findAll({ rule: { any: kinds.map((kind) => ({ kind })) } });
  const names = isScript(language) ? exportedNames(text, language) : new Set<string>();
  const found: Definition[] = [];
  const open: Definition[] = [];
  for (const node of nodes) {
    const name = nameOf(node);
    if (name === "") continue;
    const range = node.range();
    while (open.length > 0 && (open.at(-1)?.end ?? 0) < range.end.index) open.pop();
    if (open.length >= MAX_DEPTH) continue;
    const enclosing = [...open];
    const owner = enclosing.at(-1);
    const kind = CLASS.test(String(node.kind())) ? "class" : "function";
    const local = enclosing.some((other) => other.kind === "function");
    const member = owner?.kind === "class";
    const hidden = name.startsWith("#") || (name.startsWith("_") && !/^__\w+__$/.test(name));
    const visible = language === "python" ? owner === undefined || member : isExported(node, name, names);
    const isPrivate = /^(?:private|protected)\b/.test(text.slice(range.start.index, range.start.index + 10));
    const made: Definition = {
      kind,
      name,
      parents: enclosing.map((other) => other.name),
      line: range.start.line + 1,
      endLine: range.end.line + 1,
      start: range.start.index,
      end: range.end.index,
      bodyStart: node.field("body")?.range().start.index ?? range.end.index,
      params: kind === "function" ? parseParams(paramsText(node), language) : [],
      local,
      exported:
        !local && !hidden && !isPrivate && (member ? owner.exported || language === "python" : visible),
      decorated: isDecorated(node),
      aliased: isAliased(node),
      inherits: kind === "class" ? hasBase(node, language) : member && owner.inherits,
    };
    found.push(made);
    open.push(made);
  }
  return found;
}

function isDecorated(node: Node): boolean {
  if (node.parent()?.kind() === "decorated_definition") return true;
  return node.children().some((child) => child.kind() === "decorator") || node.prev()?.kind() === "decorator";
}

/** Handed on where they stand; their own name is for themselves. */
const EXPRESSION = /^(?:class|function_expression)$/;

function isAliased(node: Node): boolean {
  const parent = node.parent();
  if (parent?.kind() === "export_statement" && parent.children().some((child) => child.kind() === "default"))
    return true;
  const holder = namingParent(node);
  if (holder === undefined) return parent?.kind() === "object" || EXPRESSION.test(String(node.kind()));
  return (
    holder.kind() === "pair" ||
    (holder.kind() === "assignment_expression" && holder.field("left")?.kind() !== "identifier")
  );
}
