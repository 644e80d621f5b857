'use strict';

/** Written to stderr when FEEDLOOM_VERBOSE is set. */
function verbose(message) {
  if (process.env.FEEDLOOM_VERBOSE) process.stderr.write(`feedloom: ${message}\n`);
}

function error(message) {
  process.stderr.write(`feedloom: ${message}\n`);
}

module.exports = { error, verbose };
