/**
 * Makes the package as it is published, around `npm pack` (decision 0048). What is published is built, so it has no scripts; what the
 * build took in is no dependency; and of the SQLite package only what runs is taken along: its code and its compiled files, without
 * sources and maps, which are a third of it. The manual pages are named one by one: npm links no others (decision 0100).
 */
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const root = process.cwd();
const manifest = join(root, 'package.json');
const kept = join(root, '.package.json');
const vendored = join(root, 'vendor', 'sqlite');

const SQLITE = '@photostructure/sqlite';
const MANUAL = 'dist/man/man1';
const NEEDED = ['dist/index.cjs', 'prebuilds', 'LICENSE'];

function before() {
  after();
  const whole = readFileSync(manifest, 'utf8');
  writeFileSync(kept, whole);
  const home = dirname(createRequire(manifest).resolve(`${SQLITE}/package.json`));
  for (const name of NEEDED)
    cpSync(join(home, name), join(vendored, name), { recursive: true, dereference: true });
  writeFileSync(manifest, `${JSON.stringify(published(JSON.parse(whole)), null, 2)}\n`);
}

function published({ scripts: _, devDependencies: __, knip: ___, dependencies, ...rest }) {
  const { [SQLITE]: ____, ...others } = dependencies;
  const man = readdirSync(join(root, MANUAL)).map((name) => `${MANUAL}/${name}`);
  return { ...rest, man, imports: { '#sqlite': './vendor/sqlite/dist/index.cjs' }, dependencies: others };
}

/** Puts everything back; after a pack that was broken off, too. */
function after() {
  rmSync(join(root, 'vendor'), { recursive: true, force: true });
  if (existsSync(kept)) renameSync(kept, manifest);
}

if (process.argv[2] === 'before') before();
else after();
