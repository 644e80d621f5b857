'use strict';

const fs = require('node:fs/promises');
const path = require('node:path');
const { FeedError } = require('./errors');
const { resolveInside } = require('./paths');

const FILE = 'feedloom.json';

/** Reads and checks the configuration of the site in a folder. */
async function loadConfig(root) {
  let raw;
  try {
    raw = JSON.parse(await fs.readFile(path.join(root, FILE), 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT') throw new FeedError(FILE, `not found in ${root}`);
    if (error instanceof SyntaxError) throw new FeedError(FILE, error.message);
    throw error;
  }
  for (const key of ['title', 'url']) {
    if (typeof raw[key] !== 'string') throw new FeedError(FILE, `${key} is required`);
  }
  const inside = (key, fallback) => resolveInside(root, raw[key] ?? fallback, FILE);
  return {
    root,
    title: raw.title,
    url: raw.url,
    description: raw.description ?? raw.title,
    posts: inside('posts', 'posts'),
    media: inside('media', 'media'),
    output: inside('output', 'feed.xml'),
  };
}

module.exports = { loadConfig };
