/**
 * `npm run container`: an image with the Debian package of the one file (decision 0111). mmdebstrap makes its root from the packages of
 * the machine's own apt, and buildah the image, into `packages/container`. It wants Debian on x64 and root, and starts no container.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { json, read, root, say } from './project.js';

const CONTAINERFILE = 'packaging/container/Containerfile';
/** The user of the image. */
export const OWNER = Number(/^USER (\d+):/m.exec(read(CONTAINERFILE))?.[1]);

/** The lists of sources that apt has here: what is built takes its packages from there, and no address is in this project. */
export function machineSources() {
  const more = '/etc/apt/sources.list.d';
  const names = existsSync(more) ? readdirSync(more).filter((name) => /\.(list|sources)$/.test(name)) : [];
  return ['/etc/apt/sources.list', ...names.map((name) => join(more, name))].filter((path) =>
    existsSync(path),
  );
}

/** This machine's release of Debian, which that of the image is. */
function suite() {
  const codename = /^VERSION_CODENAME=(\w+)$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1];
  if (codename === undefined)
    throw new Error('/etc/os-release names no release: the image is built on Debian');
  return codename;
}

/**
 * apt decides what the package needs. The variant `extract` runs no script of any package, so it needs no shell to run them.
 *
 * @param deb lies in a folder of its own in /tmp: apt wants it at the same path in the new root, where it goes away with /tmp
 */
function makeRoot(tree, deb) {
  const words = [
    '--quiet',
    '--mode=root',
    '--variant=extract',
    '--format=directory',
    `--setup-hook=copy-in ${dirname(deb)} /tmp`,
  ];
  words.push('--skip=cleanup/apt/cache', `--include=${deb}`, suite(), tree, ...machineSources());
  execFileSync('mmdebstrap', words, { stdio: ['ignore', 'pipe', 'pipe'] });
}

/** dpkg was not run, so its list is empty: whoever looks an image through for old libraries reads it. */
function writePackageList(tree, deb) {
  const cache = join(tree, 'var/cache/apt/archives');
  const all = readdirSync(cache).filter((name) => name.endsWith('.deb'));
  const entries = [...all.map((name) => join(cache, name)), deb].map((path) => {
    const fields = execFileSync('dpkg-deb', ['--field', path], { encoding: 'utf8' });
    return fields.replace(/^Package: .*\n/m, '$&Status: install ok installed\n');
  });
  writeFileSync(join(tree, 'var/lib/dpkg/status'), entries.sort().join('\n'));
}

/** Takes away what mmdebstrap brought from this machine or needed itself, and adds the user and the places that it writes to. */
function finishRoot(tree) {
  for (const path of ['dev', 'tmp', 'run', 'etc/apt', 'etc/dpkg', 'var/cache', 'var/lib/apt', 'var/log'])
    rmSync(join(tree, path), { recursive: true, force: true });
  for (const name of ['fstab', 'hostname', 'resolv.conf']) rmSync(join(tree, 'etc', name), { force: true });
  for (const name of ['dev', 'proc', 'sys', 'tmp', 'run']) mkdirSync(join(tree, name), { recursive: true });
  chmodSync(join(tree, 'tmp'), 0o1777);
  copyFileSync('/etc/os-release', join(tree, 'etc/os-release'));
  const lines = {
    passwd: `root:x:0:0:root:/:/nonexistent\nremit:x:${OWNER}:${OWNER}:remit:/var/lib/remit:/nonexistent\n`,
    group: `root:x:0:\nremit:x:${OWNER}:\n`,
    // Without it glibc asks the name server before /etc/hosts.
    'nsswitch.conf': 'hosts: files dns\n',
  };
  for (const [name, text] of Object.entries(lines)) writeFileSync(join(tree, 'etc', name), text);
  for (const path of ['run/remit', 'var/lib/remit']) {
    mkdirSync(join(tree, path), { recursive: true, mode: 0o700 });
    chownSync(join(tree, path), OWNER, OWNER);
  }
}

/** With names in one order and, where it is set, SOURCE_DATE_EPOCH as the time of all, one source and one Debian give the same bytes. */
function pack(tree, tar) {
  const { SOURCE_DATE_EPOCH: seconds } = process.env;
  const time = seconds ? [`--mtime=@${seconds}`] : [];
  const order = ['--sort=name', '--numeric-owner', ...time];
  execFileSync('tar', ['--create', '--file', tar, '--directory', tree, ...order, '.']);
}

/** Labels of the OCI's own names. What a release has not filled in is left out. */
function labels(release) {
  const { version, license, description } = json('package.json');
  const { author, homepage, repository } = release;
  const own = { title: 'remit', description, version, licenses: license };
  const filled = { authors: author, url: homepage, source: repository?.url };
  return Object.entries({ ...own, ...filled })
    .filter(([, value]) => value != null)
    .flatMap(([name, value]) => ['--label', `org.opencontainers.image.${name}=${value}`]);
}

/** Runs buildah over a store of its own, without a container engine. @returns what it prints */
export function buildah(store, words) {
  const places = [
    '--root',
    join(store, 'images'),
    '--runroot',
    join(store, 'run'),
    '--storage-driver',
    'vfs',
  ];
  return execFileSync('buildah', [...places, ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function buildImage(work, archive, release) {
  const { version } = json('package.json');
  const { SOURCE_DATE_EPOCH: seconds } = process.env;
  const time = seconds ? ['--timestamp', seconds] : [];
  const name = `remit:${version}`;
  const file = join(root, CONTAINERFILE);
  const words = ['build', '--isolation', 'chroot', '--format', 'oci', ...time, ...labels(release)];
  buildah(work, [...words, '--tag', name, '--file', file, join(work, 'context')]);
  buildah(work, ['push', name, `oci-archive:${archive}:${name}`]);
}

/**
 * Builds the image of a Debian package that `npm run binary` made. `release` has what a release fills in.
 *
 * @returns the path of the image, as an OCI archive
 */
export function buildContainer(folder, { deb, release = json('release.json') }) {
  const work = mkdtempSync(join(tmpdir(), 'remit-container-'));
  try {
    const copy = join(mkdtempSync('/tmp/remit-deb-'), 'remit.deb');
    copyFileSync(deb, copy);
    const tree = join(work, 'root');
    try {
      makeRoot(tree, copy);
      writePackageList(tree, copy);
    } finally {
      rmSync(join(copy, '..'), { recursive: true });
    }
    finishRoot(tree);
    mkdirSync(join(work, 'context'));
    pack(tree, join(work, 'context/root.tar'));
    const archive = join(folder, `remit-${json('package.json').version}-oci.tar`);
    rmSync(archive, { force: true });
    buildImage(work, archive, release);
    return archive;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function build() {
  const missing = ['mmdebstrap', 'buildah'].filter((name) => spawnSync(name, ['--version']).status !== 0);
  if (missing.length > 0) throw new Error(`not here (Debian: ${missing.join(', ')})`);
  if (process.getuid?.() !== 0)
    throw new Error('the root of an image has files of several users: build it as root');
  const binary = join(root, 'packages/binary');
  const name = readdirSync(binary).find((one) => one.endsWith('.deb'));
  if (name === undefined) throw new Error('npm run binary made no Debian package');
  const folder = join(root, 'packages/container');
  mkdirSync(folder, { recursive: true });
  const archive = buildContainer(folder, { deb: join(binary, name) });
  const index = execFileSync('tar', ['--extract', '--to-stdout', '--file', archive, 'index.json']);
  const { digest } = JSON.parse(index).manifests[0];
  say(`${archive.slice(root.length)}  ${(statSync(archive).size / 1e6).toFixed(1)} MB  image ${digest}`);
}

if (process.argv[1] === new URL(import.meta.url).pathname) build();
