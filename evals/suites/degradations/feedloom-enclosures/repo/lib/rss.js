'use strict';

const { formatRssDate } = require('./dates');
const { element } = require('./xml');

/** The feed as a string. */
function renderRss(config, posts) {
  const channel = element('channel', [
    ...element('title', config.title),
    ...element('link', config.url),
    ...element('description', config.description),
    ...posts.flatMap(renderItem),
  ]);
  const lines = ['<?xml version="1.0" encoding="utf-8"?>', ...element('rss', channel, { version: '2.0' })];
  return `${lines.join('\n')}\n`;
}

function renderItem(post) {
  return element('item', [
    ...element('title', post.title),
    ...element('link', post.url),
    ...element('guid', post.guid, { isPermaLink: String(post.guid === post.url) }),
    ...element('pubDate', formatRssDate(post.date)),
    ...post.categories.flatMap((category) => element('category', category)),
    ...element('description', post.body),
  ]);
}

module.exports = { renderRss };
