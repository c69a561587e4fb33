import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { defineConfig } from 'rolldown';
import { publicTypes } from './src/build/public-types.js';
import { undiciParts } from './src/build/undici-parts.js';

/** The libraries' types, each in one file that stands by itself. */
const libraryTypes = {
  name: 'library-types',
  generateBundle() {
    const emit = (fileName, path) =>
      this.emitFile({ type: 'asset', fileName, source: publicTypes(here(path)) });
    emit('sandbox.d.cts', './src/desk/sandbox/public.ts');
    emit('webhooks.d.cts', './src/library/webhooks-types.ts');
  },
};

/**
 * Root help, made by the program that was built just now: it reads it later and loads neither the tree nor commander for it. Where
 * there is no terminal bin/remit.js prints the text of 80 columns and loads nothing at all.
 */
const rootHelp = {
  name: 'root-help',
  writeBundle() {
    const print = `require(${JSON.stringify(here('./dist/start.cjs'))}).rootHelpPages().then((pages) => process.stdout.write(JSON.stringify(pages)))`;
    const pages = execFileSync(process.execPath, ['-e', print], { encoding: 'utf8' });
    writeFileSync(here('./dist/root-help.json'), pages);
    writeFileSync(here('./dist/root-help.txt'), stripVTControlCharacters(JSON.parse(pages)['80']));
  },
};

const here = (path) => new URL(path, import.meta.url).pathname;

// Split chunks, every command behind import(): a command pays only for what it loads. CommonJS, because starting Node's
// ESM loader costs a quarter of a bare start (bench/README.md). Native modules stay outside, and
// so does what pg looks for only elsewhere.
export default defineConfig({
  input: {
    start: './src/cli/start.ts',
    sandbox: './src/library/sandbox.ts',
    webhooks: './src/library/webhooks.ts',
  },
  platform: 'node',
  plugins: [libraryTypes, rootHelp, undiciParts],
  external: [
    /^node:(?!child_process)/,
    '@napi-rs/keyring',
    '@photostructure/sqlite',
    'pg-native',
    'pg-cloudflare',
  ],
  resolve: {
    alias: {
      // conf's schema validator is never used and costs 12 ms to load.
      'ajv/dist/2020.js': here('./src/build/no-schema.ts'),
      'ajv-formats': here('./src/build/no-schema.ts'),
      // conf's file writer answers every signal by sending it again: our second one, which ends the process the hard way.
      'when-exit': here('./src/build/no-schema.ts'),
      // commander and inquirer load it at once and never use it here: 3 ms of every start.
      'node:child_process': here('./src/build/lazy-child-process.ts'),
    },
  },
  output: {
    dir: 'dist',
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: 'chunks/[name]-[hash].cjs',
    cleanDir: true,
  },
});
