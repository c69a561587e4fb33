/**
 * The two packages that are published, each staged into a folder of its own (decision 0048): `remit-cli` is the program with the
 * libraries inside, `@remit/client` the libraries alone. `npm run package` packs both into `packages`; the clone itself is private.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, normalize, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { libraryBuilds } from '../../rolldown.config.js';
import { json, root } from './project.js';

const writeJson = (path, value) => writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);

const SQLITE = '@photostructure/sqlite';
const CHOOSER = 'node-gyp-build';
/** Of the SQLite package only what runs is taken along: its sources and maps are a third of it. */
const NEEDED = ['dist/index.cjs', 'prebuilds', 'LICENSE'];
const MANUAL = 'dist/man/man1';
const BOTH = ['LICENSE', 'SECURITY.md', 'docs/policy.md'];
const PROGRAM = [
  'bin',
  'dist',
  'completions',
  'docs',
  'packaging',
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
];
const BESIDE = ['CHANGELOG.md', 'THIRD-PARTY.md', 'bench/README.md'];

/** By name: the paths of the clone with their places in the package, what else is made, and the manifest out of the clone's. */
const PACKAGES = {
  'remit-cli': {
    places: Object.fromEntries([...BOTH, ...PROGRAM, ...BESIDE].map((path) => [path, path])),
    make: (folder, vendored) => {
      vendor(join(folder, 'vendor', 'sqlite'), vendored);
      return ['vendor'];
    },
    manifest: ({ dependencies, ...rest }) => ({
      ...rest,
      imports: { '#sqlite': './vendor/sqlite/dist/index.cjs' },
      // The keychain of the system: without it secrets are kept in a file.
      optionalDependencies: without(without(dependencies, SQLITE), CHOOSER),
      // npm links the pages that are named one by one, and no folder (decision 0100).
      man: readdirSync(join(root, MANUAL)).map((name) => `${MANUAL}/${name}`),
    }),
  },
  '@remit/client': {
    places: {
      ...Object.fromEntries([...BOTH, 'docs/webhooks.md', 'docs/sandbox.md'].map((path) => [path, path])),
      'docs/library.md': 'README.md',
    },
    make: async (folder) => {
      for (const { output, ...options } of libraryBuilds(folder)) {
        const bundle = await rolldown({ ...options, cwd: root, logLevel: 'warn' });
        await bundle.write(output);
        await bundle.close();
      }
      return ['dist', 'THIRD-PARTY.md'];
    },
    manifest: ({ bin: _, dependencies, exports, typesVersions, ...rest }) => ({
      ...rest,
      description: 'The client, the webhooks and the sandbox of remit, for a service of your own',
      // Who resolves without `exports` finds the entry of the package itself by these two.
      main: './dist/client.cjs',
      types: './dist/client.d.cts',
      exports: { '.': exports['./client'], ...without(exports, './client') },
      typesVersions: { '*': without(typesVersions['*'], 'client') },
      peerDependencies: { [SQLITE]: dependencies[SQLITE] },
      peerDependenciesMeta: { [SQLITE]: { optional: true } },
    }),
  },
};

const without = (record, name) => Object.fromEntries(Object.entries(record).filter(([one]) => one !== name));

/**
 * Writes one package into an empty folder, as `npm pack` takes it. `release` has the addresses that a release fills in; one that is null
 * is not known yet.
 *
 * @throws Error where a native build is not the one whose digest `vendored.json` holds
 */
export async function stage(name, folder, { release = json('release.json'), vendored } = {}) {
  const { places, make, manifest } = PACKAGES[name];
  for (const [from, to] of Object.entries(places))
    cpSync(join(root, from), join(folder, to), { recursive: true });
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((one) =>
    one.endsWith('.md'),
  );
  for (const to of pages) writeFileSync(join(folder, to), page(join(folder, to), { to, name, release }));
  const files = [...(await make(folder, vendored)), ...Object.values(places).map((to) => to.split('/')[0])];
  const whole = manifest(json('package.json'));
  for (const key of ['private', 'scripts', 'devDependencies', 'knip']) delete whole[key];
  const filled = Object.entries(release).filter(([, value]) => value !== null);
  writeJson(join(folder, 'package.json'), {
    ...whole,
    name,
    files: [...new Set(files)].sort(),
    ...Object.fromEntries(filled),
  });
}

/** A page as it stands in the package: a link to what is not packed is absolute, and only its words while no address is known. */
function page(file, { to, name, release: { homepage } }) {
  const { places } = PACKAGES[name];
  const from = Object.keys(places).find((one) => places[one] === to) ?? to;
  const placeOf = (path) => {
    const home = Object.keys(places).find((one) => path === one || path.startsWith(`${one}/`));
    return home && places[home] + path.slice(home.length);
  };
  const linked = readFileSync(file, 'utf8').replaceAll(
    /(?<!!)\[([^\]]+)\]\((?!\w+:|#)([^)#\s]+)(#[^)\s]*)?\)/g,
    (_, words, link, anchor = '') => {
      const meant = normalize(join(dirname(from), link));
      const place = placeOf(meant);
      if (place !== undefined) return `[${words}](${relative(dirname(to), place)}${anchor})`;
      return homepage === null ? words : `[${words}](${homepage.replace(/\/$/, '')}/${meant}${anchor})`;
    },
  );
  return name === '@remit/client'
    ? linked.replaceAll('remit-cli/client', name).replaceAll('remit-cli', name)
    : linked;
}

/** SHA-256 of each native build of the SQLite package in a folder, by its path in there. */
function nativeDigests(home) {
  const files = readdirSync(join(home, 'prebuilds'), { recursive: true, encoding: 'utf8' });
  const builds = files.filter((file) => file.endsWith('.node')).sort();
  const digest = (file) =>
    createHash('sha256')
      .update(readFileSync(join(home, 'prebuilds', file)))
      .digest('hex');
  return Object.fromEntries(builds.map((file) => [`prebuilds/${file}`, digest(file)]));
}

/** @throws Error where a native build in the folder is not the one that we name, or is one more, or one less */
export function checkNative(home, { sha256 } = json('src/build/vendored.json')) {
  if (JSON.stringify(nativeDigests(home)) !== JSON.stringify(sha256))
    throw new Error(`a native build of ${SQLITE} is not the one that src/build/vendored.json names`);
}

/** SQLite for Node 20, and beside it what chooses the build of the machine: what is published wants no other package (decision 0048). */
function vendor(to, vendored) {
  const homeOf = (name) => dirname(createRequire(join(root, 'package.json')).resolve(`${name}/package.json`));
  for (const one of NEEDED)
    cpSync(join(homeOf(SQLITE), one), join(to, one), { recursive: true, dereference: true });
  cpSync(join(homeOf(CHOOSER), `${CHOOSER}.js`), join(to, 'dist', `${CHOOSER}.cjs`));
  cpSync(join(homeOf(CHOOSER), 'LICENSE'), join(to, 'dist', `${CHOOSER}.LICENSE`));
  const code = join(to, 'dist', 'index.cjs');
  const parts = readFileSync(code, 'utf8').split(`require("${CHOOSER}")`);
  if (parts.length !== 2) throw new Error(`${SQLITE} does not load ${CHOOSER} once: look at it`);
  writeFileSync(code, parts.join(`require("./${CHOOSER}.cjs")`));
  checkNative(to, vendored);
}

/** Stages and packs both, and says what is missing before they may be published. */
async function packAll() {
  const out = join(root, 'packages');
  rmSync(out, { recursive: true, force: true });
  for (const name of Object.keys(PACKAGES)) {
    const folder = join(out, name.replace('@', '').replace('/', '-'));
    mkdirSync(folder, { recursive: true });
    await stage(name, folder);
    const pack = ['pack', folder, '--pack-destination', out, '--json', '--ignore-scripts'];
    const [{ filename, unpackedSize, integrity }] = JSON.parse(
      execFileSync('npm', pack, { encoding: 'utf8' }),
    );
    process.stdout.write(`${filename}  ${(unpackedSize / 1e6).toFixed(2)} MB unpacked  ${integrity}\n`);
  }
  const missing = Object.entries(json('release.json')).filter(([, value]) => value === null);
  if (missing.length > 0)
    process.stdout.write(
      `not to be published yet: release.json has no ${missing.map(([name]) => name).join(', ')}\n`,
    );
}

/** After a new version was taken, and looked at: what is vendored from now on. */
function writeDigests() {
  const home = join(root, 'node_modules', SQLITE);
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
  writeJson(join(root, 'src/build/vendored.json'), { package: SQLITE, version, sha256: nativeDigests(home) });
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const [what, folder] = process.argv.slice(2);
  if (what === 'check-native') checkNative(folder);
  else if (what === 'write-digests') writeDigests();
  else await packAll();
}
