'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { renderRss } = require('../lib');

const CONFIG = { title: 'Backyard sky', url: 'https://sky.example', description: 'Stars & dew' };
const POST = {
  title: 'First <light>',
  url: 'https://sky.example/first',
  guid: 'https://sky.example/first',
  date: new Date('2024-05-02T12:00:00Z'),
  categories: ['diary'],
  body: 'Clear.',
};

test('a feed', () => {
  assert.deepEqual(renderRss(CONFIG, [POST]).split('\n'), [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<rss version="2.0">',
    '  <channel>',
    '    <title>Backyard sky</title>',
    '    <link>https://sky.example</link>',
    '    <description>Stars &amp; dew</description>',
    '    <item>',
    '      <title>First &lt;light&gt;</title>',
    '      <link>https://sky.example/first</link>',
    '      <guid isPermaLink="true">https://sky.example/first</guid>',
    '      <pubDate>Thu, 02 May 2024 12:00:00 GMT</pubDate>',
    '      <category>diary</category>',
    '      <description>Clear.</description>',
    '    </item>',
    '  </channel>',
    '</rss>',
    '',
  ]);
});

test('a guid of its own is no permalink', () => {
  const xml = renderRss(CONFIG, [{ ...POST, guid: 'tag:1' }]);
  assert.ok(xml.includes('<guid isPermaLink="false">tag:1</guid>'));
});
