'use strict';

const path = require('node:path');
const { FeedError } = require('./errors');

/** An absolute path below root. `file` is named when the path leads out of it. */
function resolveInside(root, relative, file) {
  const absolute = path.resolve(root, relative);
  const back = path.relative(root, absolute);
  if (back === '' || back.split(path.sep)[0] === '..' || path.isAbsolute(back)) {
    throw new FeedError(file, `path leads out of its folder: ${relative}`);
  }
  return absolute;
}

module.exports = { resolveInside };
