'use strict';

/** Appends path segments to a base URL. Every part may hold several segments. */
function joinUrl(base, ...parts) {
  const segments = parts
    .flatMap((part) => part.split('/'))
    .filter((segment) => segment !== '' && segment !== '.')
    .map(encodeURIComponent);
  return [base.replace(/\/+$/, ''), ...segments].join('/');
}

module.exports = { joinUrl };
