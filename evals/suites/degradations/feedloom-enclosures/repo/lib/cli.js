'use strict';

const fs = require('node:fs/promises');
const path = require('node:path');
const { loadConfig } = require('./config');
const { FeedError } = require('./errors');
const log = require('./log');
const { loadPosts } = require('./posts');
const { renderRss } = require('./rss');

const USAGE = 'usage: feedloom SITE';

/** Resolves to the exit status. */
async function main(args, out = process.stdout) {
  if (args.length !== 1 || args[0].startsWith('-')) {
    log.error(USAGE);
    return 2;
  }
  try {
    const config = await loadConfig(args[0]);
    const posts = await loadPosts(config);
    await fs.writeFile(config.output, renderRss(config, posts));
    const output = path.relative(config.root, config.output);
    out.write(`wrote ${output} (${count(posts.length, 'item')})\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    log.error(error.message);
    return 1;
  }
}

function count(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

module.exports = { main };
