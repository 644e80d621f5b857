/** One tag of an XML text. */
export interface XmlTag {
  name: string;
  kind: "open" | "close" | "empty";
  attributes: ReadonlyMap<string, string>;
}

/**
 * The tags of an XML text in order, for reports that a program under test may have written: time and memory are linear
 * in its length, no entity but the five of XML and character references is resolved, and what is no tag is passed over.
 */
export function* xmlTags(text: string): Generator<XmlTag> {
  for (let from = 0; ;) {
    const start = text.indexOf("<", from);
    if (start < 0) return;
    const skipped = SKIPPED.find(([open]) => text.startsWith(open, start));
    if (skipped !== undefined) {
      const end = text.indexOf(skipped[1], start + skipped[0].length);
      if (end < 0) return;
      from = end + skipped[1].length;
      continue;
    }
    const end = tagEnd(text, start);
    if (end < 0) return;
    const tag = tagOf(text.slice(start + 1, end));
    if (tag !== undefined) yield tag;
    from = tag === undefined ? start + 1 : end + 1;
  }
}

/** Text that tests printed stands in CDATA and may look like anything. */
const SKIPPED = [
  ["<!--", "-->"],
  ["<![CDATA[", "]]>"],
  ["<?", "?>"],
] as const;

/** Longest tag that is read, in characters: a message stands in an attribute of some reports. */
const MAX_TAG = 200_000;

/** Where the tag ends. A `>` inside quotes is text, and so is one of a tag that never ends. */
function tagEnd(text: string, start: number): number {
  let quote: string | undefined;
  const last = Math.min(text.length, start + MAX_TAG);
  for (let at = start + 1; at < last; at += 1) {
    const char = text[at];
    if (quote !== undefined) quote = char === quote ? undefined : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === ">") return at;
    else if (char === "<") return at - 1;
  }
  return -1;
}

function tagOf(inside: string): XmlTag | undefined {
  const match = /^(\/?)([A-Za-z_][\w:.-]*)/.exec(inside);
  if (match === null) return undefined;
  const [head, slash = "", name = ""] = match;
  const kind = slash === "/" ? "close" : inside.endsWith("/") ? "empty" : "open";
  const attributes = new Map<string, string>();
  for (const [, key = "", double, single] of inside
    .slice(head.length)
    .matchAll(/([\w:.-]+)\s{0,20}=\s{0,20}(?:"([^"]*)"|'([^']*)')/g))
    attributes.set(key, plain(double ?? single ?? ""));
  return { name, kind, attributes };
}

const ENTITIES: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function plain(text: string): string {
  return text.replace(
    /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([\da-fA-F]{1,6}));/g,
    (whole, name, decimal, hex) => {
      if (typeof name === "string") return ENTITIES[name] ?? whole;
      const code = typeof decimal === "string" ? Number(decimal) : Number.parseInt(String(hex), 16);
      return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
    },
  );
}
