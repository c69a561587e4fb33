#!/usr/bin/env node
// CommonJS (bin/package.json): starting the ESM loader would cost a quarter of the whole start.
const { existsSync } = require('node:fs');
const { join } = require('node:path');

const entry = join(__dirname, '..', 'dist', 'start.cjs');
if (existsSync(entry)) {
  require(entry).start();
} else {
  process.stderr.write('remit: it is not built yet: run `npm ci` (or `npm run build`) in its folder first\n');
  process.exitCode = 78;
}
