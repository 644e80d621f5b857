'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs/promises');
const path = require('node:path');
const { test } = require('node:test');
const { main } = require('../lib/cli');
const { makeSite, post } = require('./helpers/site');

async function run(...args) {
  let text = '';
  const status = await main(args, { write: (chunk) => (text += chunk) });
  return { status, text };
}

test('writes the feed and says so', async (t) => {
  const root = await makeSite(t, {
    'posts/a.md': post({ title: 'A', date: '2024-05-02' }),
    'posts/b.md': post({ title: 'B', date: '2024-05-03' }),
  });
  assert.deepEqual(await run(root), { status: 0, text: 'wrote feed.xml (2 items)\n' });
  assert.match(await fs.readFile(path.join(root, 'feed.xml'), 'utf8'), /<title>B<[^]*<title>A</);
});

test('status 1 for a fault in the site, 2 for bad usage', async (t) => {
  const root = await makeSite(t, { 'posts/a.md': 'no front matter' });
  assert.deepEqual(await run(root), { status: 1, text: '' });
  assert.deepEqual(await run(), { status: 2, text: '' });
});
