import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { defineConfig } from 'rolldown';
import { esmExternalRequirePlugin } from 'rolldown/plugins';
import { publicTypes } from './src/build/public-types.js';
import { thirdParty } from './src/build/third-party.js';
import { undiciParts } from './src/build/undici-parts.js';

/** What partners import: by name, where its types stand. */
const libraries = {
  client: './src/library/client-types.ts',
  sandbox: './src/sandbox/public.ts',
  webhooks: './src/library/webhooks-types.ts',
};
const libraryEntries = {
  client: './src/library/client.ts',
  sandbox: './src/library/sandbox.ts',
  webhooks: './src/library/webhooks.ts',
};

/** Types, each in one file beside its code: `client.d.cts` beside `client.cjs`. */
const typesOf = (sources, kind) => ({
  name: 'public-types',
  generateBundle() {
    for (const [name, path] of Object.entries(sources)) {
      const source = typesAt(path).replaceAll(/(from '\.\/\w+)\.js'/g, `$1.${kind}js'`);
      this.emitFile({ type: 'asset', fileName: `${name}.d.${kind}ts`, source });
    }
  },
});
const texts = new Map();
function typesAt(path) {
  if (!texts.has(path)) texts.set(path, publicTypes(here(path)));
  return texts.get(path);
}

/**
 * Root help, the index of completion and the manual pages, made by the program that was built just now: it reads them later and loads neither the tree nor
 * commander for them. Where there is no terminal bin/remit.js prints the help of 80 columns and loads nothing at all.
 */
const madeOnce = {
  name: 'made-once',
  writeBundle() {
    const pages = answerOf('rootHelpPages');
    writeFileSync(here('./dist/root-help.json'), pages);
    writeFileSync(here('./dist/root-help.txt'), stripVTControlCharacters(JSON.parse(pages)['80']));
    writeFileSync(here('./dist/completion.json'), answerOf('completionIndex'));
    const manual = here('./dist/man/man1');
    mkdirSync(manual, { recursive: true });
    for (const [name, page] of Object.entries(JSON.parse(answerOf('manPages', builtOn()))))
      writeFileSync(`${manual}/${name}`, page);
  },
};

/** The day that manual pages have at their foot, as mdoc writes it: of this build, or of SOURCE_DATE_EPOCH where builds are to be equal. */
function builtOn() {
  const { SOURCE_DATE_EPOCH: seconds } = process.env;
  const day = seconds ? new Date(Number(seconds) * 1000) : new Date();
  return day.toLocaleDateString('en-US', { year: 'numeric', month: 'long', day: 'numeric', timeZone: 'UTC' });
}

/** What an exported function of the built program returns, as JSON. */
function answerOf(name, ...given) {
  const call = `${name}(${given.map((one) => JSON.stringify(one)).join(', ')})`;
  const print = `require(${JSON.stringify(here('./dist/start.cjs'))}).${call}.then((data) => process.stdout.write(JSON.stringify(data)))`;
  return execFileSync(process.execPath, ['-e', print], { encoding: 'utf8' });
}

/** Options of payout types are one object each: rolldown would write every code a second time, as an export by its name. */
const options = {
  name: 'options',
  transform: {
    filter: { id: /corridors\/data\/options\/[\w-]+\.json$/ },
    handler: (code) => ({ code: `export default ${code}`, moduleType: 'js' }),
  },
};

/** The text of a file, by the word that Vite has for it, and so the tests. */
const raw = {
  name: 'raw',
  load: {
    filter: { id: /\?raw$/ },
    handler: (id) => ({ code: readFileSync(id.replace('?raw', ''), 'utf8'), moduleType: 'text' }),
  },
};

/** The styles as they are: a file of custom properties that a browser reads. */
const pageStyle = {
  name: 'page-style',
  generateBundle() {
    this.emitFile({
      type: 'asset',
      fileName: 'page.css',
      source: ['./node_modules/uplot/dist/uPlot.min.css', './src/console/page/style.css']
        .map((path) => readFileSync(here(path), 'utf8'))
        .join('\n'),
    });
  },
};

/** The page of the console: one file of code and one of styles, which the server puts into its document. */
const consolePage = {
  input: { page: './src/console/page/main.tsx' },
  platform: 'browser',
  transform: { jsx: { runtime: 'automatic', importSource: 'preact' }, target: 'es2023' },
  output: { dir: 'dist/console', format: 'esm', entryFileNames: '[name].js', minify: true },
};

const here = (path) => new URL(path, import.meta.url).pathname;

const notices = thirdParty(here('./THIRD-PARTY.md'));

const shared = {
  platform: 'node',
  // A table that nobody reads is left out, though a function makes it.
  treeshake: { manualPureFunctions: ['byWord'] },
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
};

/** The libraries as ES modules, for bundlers that leave out what is not used. */
function libraryModules(dir, thirdParties) {
  return {
    ...shared,
    input: libraryEntries,
    external: shared.external.filter((one) => typeof one === 'string'),
    // undici asks whether there is one: a module has none, and webpack would answer for one of CommonJS.
    transform: { define: { __filename: 'undefined' } },
    // What undici requires of Node is imported: a bundle of a partner's may have no place to require from.
    plugins: [
      typesOf(libraries, 'm'),
      options,
      undiciParts,
      thirdParties,
      esmExternalRequirePlugin({ external: [/^node:/] }),
    ],
    output: {
      dir,
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: 'chunks/[name]-[hash].mjs',
      comments: false,
    },
  };
}

/** Edges have no modules of Node: nothing is shared with the rest, so that none comes along. */
function edge(kind, dir, thirdParties) {
  return {
    input: { edge: './src/library/edge.ts' },
    platform: 'neutral',
    plugins: [typesOf({ edge: './src/library/edge-types.ts' }, kind), thirdParties],
    output: {
      dir,
      format: kind === 'c' ? 'cjs' : 'esm',
      entryFileNames: `[name].${kind}js`,
      comments: false,
    },
  };
}

/** The libraries alone, as `@remit/client` has them, and the notices of what they took in. */
export function libraryBuilds(folder) {
  const thirdParties = thirdParty(`${folder}/THIRD-PARTY.md`);
  const dir = `${folder}/dist`;
  const commonJs = {
    ...shared,
    input: libraryEntries,
    plugins: [typesOf(libraries, 'c'), options, undiciParts, thirdParties],
    output: {
      dir,
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: 'chunks/[name]-[hash].cjs',
      comments: false,
    },
  };
  const esm = `${dir}/esm`;
  return [
    commonJs,
    libraryModules(esm, thirdParties),
    edge('c', dir, thirdParties),
    edge('m', esm, thirdParties),
  ];
}

// Split chunks, every command behind import(): a command pays only for what it loads. CommonJS, because starting Node's
// ESM loader costs a quarter of a bare start (bench/README.md). Native modules stay outside, and
// so does what pg looks for only elsewhere.
export default defineConfig([
  {
    ...shared,
    input: { start: './src/program/start.ts', ...libraryEntries },
    plugins: [typesOf(libraries, 'c'), madeOnce, options, raw, undiciParts, notices],
    output: {
      dir: 'dist',
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: 'chunks/[name]-[hash].cjs',
      // import() of a module of Node would start the ESM loader, and a script out of memory has none (decision 0048).
      dynamicImportInCjs: false,
      cleanDir: true,
      comments: false,
    },
  },
  ...(existsSync(here('./src/console')) ? [{ ...consolePage, plugins: [pageStyle, notices] }] : []),
  libraryModules('dist/esm', notices),
  ...['c', 'm'].map((kind) => edge(kind, kind === 'c' ? 'dist' : 'dist/esm', notices)),
]);
