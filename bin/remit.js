#!/usr/bin/env node
import { existsSync } from 'node:fs';

const entry = new URL('../dist/start.js', import.meta.url);
if (existsSync(entry)) {
  const { start } = await import(entry.href);
  await start();
} else {
  process.stderr.write('remit: it is not built yet: run `npm ci` (or `npm run build`) in its folder first\n');
  process.exitCode = 78;
}
