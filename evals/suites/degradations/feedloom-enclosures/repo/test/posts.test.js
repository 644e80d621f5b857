'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { loadConfig, loadPosts } = require('../lib');
const { makeSite, post } = require('./helpers/site');

async function load(t, files) {
  return loadPosts(await loadConfig(await makeSite(t, files)));
}

test('newest first, without drafts and other files', async (t) => {
  const posts = await load(t, {
    'posts/first.md': post({ title: 'First', date: '2024-05-02' }),
    'posts/second.md': post({ title: 'Second', date: '2024-05-09' }),
    'posts/third.md': post({ title: 'Third', date: '2024-05-16', draft: 'true' }),
    'posts/notes.txt': 'not a post',
  });
  assert.deepEqual(
    posts.map(({ title }) => title),
    ['Second', 'First'],
  );
});

test('url, guid and categories', async (t) => {
  const [only] = await load(t, {
    'posts/new moon.md': post({ title: 'New moon', date: '2024-05-08', categories: 'moon, ,diary' }),
  });
  assert.equal(only.url, 'https://sky.example/blog/new%20moon');
  assert.equal(only.guid, only.url);
  assert.deepEqual(only.categories, ['moon', 'diary']);
});

test('title and date are required', async (t) => {
  await assert.rejects(load(t, { 'posts/a.md': post({ date: '2024-05-02' }) }), {
    message: 'posts/a.md: title is required',
  });
  await assert.rejects(load(t, { 'posts/a.md': post({ title: 'a', date: 'May' }) }), {
    message: 'posts/a.md: date must be YYYY-MM-DD',
  });
});
