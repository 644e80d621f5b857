'use strict';

const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escape(text) {
  return String(text).replace(/[&<>"]/g, (char) => ENTITIES[char]);
}

/**
 * An element as lines of XML. Content is text, or a list of lines that other
 * elements returned, or undefined for an empty element.
 */
function element(name, content, attributes = {}) {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escape(value)}"`);
  const open = name + pairs.join('');
  if (content === undefined) return [`<${open}/>`];
  if (Array.isArray(content)) {
    return [`<${open}>`, ...content.map((line) => `  ${line}`), `</${name}>`];
  }
  return [`<${open}>${escape(content)}</${name}>`];
}

module.exports = { element };
