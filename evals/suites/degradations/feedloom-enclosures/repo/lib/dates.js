'use strict';

/** Noon UTC of a day written as YYYY-MM-DD, or undefined. */
function parseDay(text) {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const date = new Date(`${text}T12:00:00Z`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** As RSS wants it: Thu, 02 May 2024 12:00:00 GMT */
function formatRssDate(date) {
  return date.toUTCString();
}

module.exports = { formatRssDate, parseDay };
