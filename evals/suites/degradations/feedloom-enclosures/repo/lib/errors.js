'use strict';

/** A fault in the files of a site, with the file that has it. */
class FeedError extends Error {
  constructor(file, reason) {
    super(`${file}: ${reason}`);
    this.name = 'FeedError';
    this.file = file;
    this.reason = reason;
  }
}

module.exports = { FeedError };
