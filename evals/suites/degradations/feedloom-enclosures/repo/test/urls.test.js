'use strict';

const assert = require('node:assert/strict');
const { test } = require('node:test');
const { joinUrl } = require('../lib/urls');

test('joins and encodes segments', () => {
  assert.equal(joinUrl('https://a.example/x/', '/b c/', './d'), 'https://a.example/x/b%20c/d');
  assert.equal(joinUrl('https://a.example'), 'https://a.example');
});
