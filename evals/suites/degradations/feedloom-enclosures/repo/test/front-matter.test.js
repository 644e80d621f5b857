'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { FeedError } = require('../lib');
const { parseFrontMatter } = require('../lib/front-matter');

test('keys, values and body', () => {
  const text = '---\ntitle: Moons: a list\n\ndate: 2024-05-02\n---\n\nOne.\n\nTwo.\n';
  assert.deepEqual(parseFrontMatter(text, 'a.md'), {
    data: { title: 'Moons: a list', date: '2024-05-02' },
    body: 'One.\n\nTwo.',
  });
});

test('CRLF and a byte order mark', () => {
  assert.deepEqual(parseFrontMatter('\ufeff---\r\na: 1\r\n---\r\nb', 'a.md').data, { a: '1' });
});

for (const [text, reason] of [
  ['Text', 'no front matter'],
  ['---\ntitle: a\n', 'front matter has no end'],
  ['---\ntitle\n---\n', 'no key and value: title'],
]) {
  test(`fault: ${reason}`, () => {
    assert.throws(() => parseFrontMatter(text, 'a.md'), new FeedError('a.md', reason));
  });
}
