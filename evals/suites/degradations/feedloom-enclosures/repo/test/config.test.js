'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const { test } = require('node:test');
const { loadConfig } = require('../lib');
const { makeSite } = require('./helpers/site');

test('defaults', async (t) => {
  const root = await makeSite(t, {});
  const config = await loadConfig(root);
  assert.equal(config.description, 'Backyard sky');
  assert.equal(config.media, path.join(root, 'media'));
});

test('paths stay inside the site', async (t) => {
  const root = await makeSite(t, {}, { title: 'a', url: 'b', output: '../feed.xml' });
  await assert.rejects(loadConfig(root), {
    name: 'FeedError',
    message: 'feedloom.json: path leads out of its folder: ../feed.xml',
  });
});

test('required keys', async (t) => {
  const root = await makeSite(t, {}, { title: 'a' });
  await assert.rejects(loadConfig(root), { message: 'feedloom.json: url is required' });
});
