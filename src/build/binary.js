/**
 * `npm run binary`: remit for Linux x64 as one file that has Node in it (decision 0048). It goes to `packages/binary`, beside
 * NOTICES.txt, which has the licences of what is inside. Build first: what the build wrote goes into the file too.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json, root, say } from './project.js';

/** What the program reads by its path in the package, and would find beside itself elsewhere. */
const PACKAGED = [
  'dist/root-help.json',
  'dist/completion.json',
  'dist/console/page.js',
  'dist/console/page.css',
  ...['_remit', 'remit.bash', 'remit.fish', 'remit.ps1'].map((name) => `completions/${name}`),
];

/**
 * Node of the version that `runtime.json` names, unpacked into the folder. It is fetched by npm when it is first wanted, and kept packed
 * in `.runtime`: as a dependency, everybody who works on remit would install its 150 MB.
 *
 * @returns the folder of the package
 * @throws Error where what was fetched is not what `runtime.json` names
 */
export function unpackRuntime(
  folder,
  { package: name, version, integrity } = json('src/build/runtime.json'),
) {
  const kept = join(root, '.runtime');
  const file = join(kept, `${name}-${version}.tgz`);
  mkdirSync(kept, { recursive: true });
  const isKept = statSync(file, { throwIfNoEntry: false })?.isFile();
  if (!isKept) execFileSync('npm', ['pack', '--silent', `${name}@${version}`, '--pack-destination', kept]);
  const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
  if (found !== integrity)
    throw new Error(`${file} is not what src/build/runtime.json names: it has ${found}`);
  execFileSync('tar', ['xzf', file, '-C', folder, 'package/bin/node', 'package/LICENSE']);
  return join(folder, 'package');
}

/** The symbols are a tenth of it. False where this machine has no `strip`. */
const stripped = (file) => spawnSync('strip', [file]).status === 0;

/** The one file. @param node the runtime, which builds it and goes into it */
function buildOne(output, { work, node, version }) {
  const chunks = readdirSync(join(root, 'dist/chunks')).filter((name) => name.endsWith('.cjs'));
  const pieces = ['dist/start.cjs', ...chunks.map((name) => `dist/chunks/${name}`)];
  const cache = (what) => [join(root, 'src/build/binary-cache.cjs'), what, work, root, ...pieces];
  // With one seed, one source gives the same bytes. It is no flag that counts for V8.
  execFileSync(node, ['--random-seed=1', ...cache('write')]);
  execFileSync(node, cache('check'));
  writeFileSync(join(work, 'version'), version);
  const within = (folder, paths) => Object.fromEntries(paths.map((path) => [path, join(folder, path)]));
  const config = {
    // Its path stands in the file: that of a clone would be another one everywhere.
    main: 'src/build/binary-main.cjs',
    output,
    disableExperimentalSEAWarning: true,
    assets: {
      ...within(root, [...PACKAGED, ...pieces]),
      ...within(work, ['version', ...pieces.map((path) => `${path}.cache`)]),
    },
  };
  writeFileSync(join(work, 'sea.json'), JSON.stringify(config));
  execFileSync(node, ['--build-sea', join(work, 'sea.json')], { cwd: root, stdio: 'pipe' });
  chmodSync(output, 0o755);
}

/**
 * Builds the file, and the licences of what is in it, into an empty folder.
 *
 * @returns the path of the file
 */
export function buildBinary(folder) {
  const { version } = json('package.json');
  const work = mkdtempSync(join(tmpdir(), 'remit-binary-'));
  try {
    const runtime = unpackRuntime(work);
    const node = join(work, 'node');
    copyFileSync(join(runtime, 'bin/node'), node);
    if (!stripped(node)) say('strip is not here (Debian: binutils): the file keeps the symbols of Node');
    buildOne(join(folder, 'remit'), { work, node, version });
    const notices = [join(runtime, 'LICENSE'), join(root, 'THIRD-PARTY.md')];
    writeFileSync(join(folder, 'NOTICES.txt'), notices.map((path) => readFileSync(path, 'utf8')).join('\n'));
    return join(folder, 'remit');
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function tell(path) {
  const digest = createHash('sha256').update(readFileSync(path)).digest('hex');
  say(`${path.slice(root.length)}  ${(statSync(path).size / 1e6).toFixed(1)} MB  sha256 ${digest}`);
}

function build() {
  if (`${process.platform} ${process.arch}` !== 'linux x64')
    throw new Error(
      'the file is for Linux x64, and is built there alone: the Node that goes into it builds it',
    );
  const folder = join(root, 'packages', 'binary');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  tell(buildBinary(folder));
}

if (process.argv[1] === new URL(import.meta.url).pathname) build();
