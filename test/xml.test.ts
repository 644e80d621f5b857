import { expect, test } from "vitest";
import { xmlTags } from "../src/xml.ts";

const tags = (text: string) =>
  [...xmlTags(text)].map(({ name, kind, attributes }) => [kind, name, Object.fromEntries(attributes)]);

test.each<[string, string, unknown[]]>([
  [
    "entities, references and both kinds of quotes",
    `<a x="&lt;1&gt; &amp;amp; &#65;&#x42; &nope; &#xFFFFFFF;" y='it"s'/>`,
    [["empty", "a", { x: "<1> &amp; AB &nope; &#xFFFFFFF;", y: 'it"s' }]],
  ],
  [
    "a tag inside an attribute",
    `<a x="<b/>">t</a>`,
    [
      ["open", "a", { x: "<b/>" }],
      ["close", "a", {}],
    ],
  ],
  [
    "CDATA, comments and declarations",
    `<?xml v="<x/>"?><!-- <b/> --><a><![CDATA[</a><c/>]]></a>`,
    [
      ["open", "a", {}],
      ["close", "a", {}],
    ],
  ],
  ["a comment that never ends", "<a><!-- <b/>", [["open", "a", {}]]],
  ["a stray bracket", "1 < 2 <a/> 3 > 2", [["empty", "a", {}]]],
  ["nothing", "plain", []],
])("tags: %s", (_what, text, expected) => {
  expect(tags(text)).toEqual(expected);
});

test("what never ends costs no more than its length", () => {
  for (const piece of ["<!--", '<a x="', "<![CDATA[", "<", "<a ", "&#"]) {
    const count = [...xmlTags(piece.repeat(200_000))].length;
    expect(count).toBeLessThan(200_001);
  }
});
