'use strict';

const { FeedError } = require('./errors');

/** Splits a post into its front matter and its body. */
function parseFrontMatter(text, file) {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  if (lines[0] !== '---') throw new FeedError(file, 'no front matter');
  const end = lines.indexOf('---', 1);
  if (end === -1) throw new FeedError(file, 'front matter has no end');
  const data = {};
  for (const line of lines.slice(1, end)) {
    if (line.trim() === '') continue;
    const colon = line.indexOf(':');
    if (colon === -1) throw new FeedError(file, `no key and value: ${line}`);
    data[line.slice(0, colon).trim()] = line.slice(colon + 1).trim();
  }
  return { data, body: lines.slice(end + 1).join('\n').trim() };
}

module.exports = { parseFrontMatter };
