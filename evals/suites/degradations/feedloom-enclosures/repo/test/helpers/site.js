'use strict';

const fs = require('node:fs/promises');
const os = require('node:os');
const path = require('node:path');

const CONFIG = { title: 'Backyard sky', url: 'https://sky.example/blog/' };

/** Writes a site to a temporary folder that goes when the test ends. */
async function makeSite(t, files, config = CONFIG) {
  const root = await fs.mkdtemp(path.join(os.tmpdir(), 'feedloom-'));
  t.after(() => fs.rm(root, { recursive: true, force: true }));
  const all = { 'feedloom.json': JSON.stringify(config), ...files };
  for (const [name, content] of Object.entries(all)) {
    const file = path.join(root, name);
    await fs.mkdir(path.dirname(file), { recursive: true });
    await fs.writeFile(file, content);
  }
  return root;
}

/** A post with this front matter. */
function post(data, body = 'Text.') {
  const lines = Object.entries(data).map(([key, value]) => `${key}: ${value}`);
  return ['---', ...lines, '---', body, ''].join('\n');
}

module.exports = { makeSite, post };
