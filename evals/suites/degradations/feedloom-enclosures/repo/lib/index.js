'use strict';

const { loadConfig } = require('./config');
const { FeedError } = require('./errors');
const { loadPosts } = require('./posts');
const { renderRss } = require('./rss');

/** Resolves to the feed of a site as a string. */
async function buildFeed(config) {
  return renderRss(config, await loadPosts(config));
}

module.exports = { FeedError, buildFeed, loadConfig, loadPosts, renderRss };
