'use strict';

const fs = require('node:fs/promises');
const path = require('node:path');
const { parseDay } = require('./dates');
const { FeedError } = require('./errors');
const { parseFrontMatter } = require('./front-matter');
const log = require('./log');
const { joinUrl } = require('./urls');

/** Resolves to the published posts of a site, newest first. */
async function loadPosts(config) {
  const names = (await fs.readdir(config.posts)).filter((name) => name.endsWith('.md'));
  const posts = await Promise.all(names.map((name) => readPost(config, name)));
  return posts.filter((post) => post !== undefined).sort((a, b) => b.date - a.date);
}

async function readPost(config, name) {
  const absolute = path.join(config.posts, name);
  const file = path.relative(config.root, absolute).split(path.sep).join('/');
  const { data, body } = parseFrontMatter(await fs.readFile(absolute, 'utf8'), file);
  if (data.draft === 'true') {
    log.verbose(`${file} is a draft`);
    return undefined;
  }
  if (!data.title) throw new FeedError(file, 'title is required');
  const date = parseDay(data.date ?? '');
  if (date === undefined) throw new FeedError(file, 'date must be YYYY-MM-DD');
  const url = joinUrl(config.url, name.replace(/\.md$/, ''));
  return {
    file,
    title: data.title,
    date,
    url,
    guid: data.guid || url,
    categories: splitList(data.categories),
    body,
  };
}

function splitList(text = '') {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);
}

module.exports = { loadPosts };
