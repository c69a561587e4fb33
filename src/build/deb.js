/** The Debian package of the one file (decision 0104): a list of what goes where, and Debian's own `dpkg-deb`. */
import { execFileSync } from 'node:child_process';
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
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './project.js';

const NAME = 'remit-cli';
const DOC = `usr/share/doc/${NAME}`;
const DEBIAN = 'packaging/debian';
const PROGRAM = 'usr/bin/remit';
const UNITS = 'packaging/systemd';
const MANUAL = 'dist/man/man1';
/** It says itself that nobody answers for the package. */
const NOBODY = 'the remit authors <unknown@remit.invalid>';

const text = (path) => readFileSync(join(root, path), 'utf8');
/** Without the time, so that one source gives the same bytes. */
const packed = (content) => gzipSync(content, { level: 9 });

/** What stands where, the program left out. @param notices the licences of what is in the program */
function contents({ version, maintainer, notices }) {
  const units = readdirSync(join(root, UNITS)).map((name) => [
    `usr/lib/systemd/system/${name}`,
    text(`${UNITS}/${name}`).replaceAll('/usr/local/bin/', '/usr/bin/'),
  ]);
  const pages = readdirSync(join(root, MANUAL)).map((name) => [
    `usr/share/man/man1/${name}.gz`,
    packed(text(`${MANUAL}/${name}`)),
  ]);
  return {
    'usr/share/bash-completion/completions/remit': text('completions/remit.bash'),
    'usr/share/zsh/vendor-completions/_remit': text('completions/_remit'),
    'usr/share/fish/vendor_completions.d/remit.fish': text('completions/remit.fish'),
    [`usr/share/lintian/overrides/${NAME}`]: text(`${DEBIAN}/lintian-overrides`),
    [`${DOC}/copyright`]: `${text(`${DEBIAN}/copyright`)}\n${text('LICENSE')}`,
    [`${DOC}/NOTICES.gz`]: packed(notices),
    [`${DOC}/changelog.gz`]: packed(text('CHANGELOG.md')),
    [`${DOC}/changelog.Debian.gz`]: packed(debianChange(version, maintainer)),
    ...Object.fromEntries([...units, ...pages]),
  };
}

/**
 * Builds the package of the file `remit` that stands in the folder beside its NOTICES.txt. `release` has what a release fills in.
 *
 * @returns the path of the package
 */
export function buildDeb(folder, { release = JSON.parse(text('release.json')) } = {}) {
  const version = `${JSON.parse(text('package.json')).version}-1`;
  const maintainer = release.author ?? NOBODY;
  const tree = mkdtempSync(join(tmpdir(), 'remit-deb-'));
  try {
    const notices = readFileSync(join(folder, 'NOTICES.txt'));
    const files = Object.entries(contents({ version, maintainer, notices }));
    for (const [path, content] of files) write(join(tree, path), content);
    mkdirSync(join(tree, 'usr/bin'));
    copyFileSync(join(folder, 'remit'), join(tree, PROGRAM));
    const paths = [PROGRAM, ...files.map(([path]) => path)].sort();
    write(join(tree, 'DEBIAN/md5sums'), paths.map((path) => `${md5(join(tree, path))}  ${path}\n`).join(''));
    const size = paths.reduce((sum, path) => sum + Math.ceil(statSync(join(tree, path)).size / 1024), 0);
    const { homepage } = release;
    write(join(tree, 'DEBIAN/control'), control({ version, maintainer, size, homepage }));
    setModes(tree);
    const deb = join(folder, `${NAME}_${version}_amd64.deb`);
    execFileSync('dpkg-deb', ['--build', '--root-owner-group', '-Zxz', '-z1', tree, deb], { stdio: 'pipe' });
    return deb;
  } finally {
    rmSync(tree, { recursive: true, force: true });
  }
}

function write(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

const md5 = (path) => createHash('md5').update(readFileSync(path)).digest('hex');

function control({ version, maintainer, size, homepage }) {
  const [fields, description] = readFileSync(join(root, DEBIAN, 'control'), 'utf8').split(
    /(?=^Description:)/m,
  );
  const own = { Version: version, Maintainer: maintainer, 'Installed-Size': size, Homepage: homepage };
  const lines = Object.entries(own).filter(([, value]) => value != null);
  return `${fields}${lines.map(([name, value]) => `${name}: ${value}\n`).join('')}${description}`;
}

/** Debian wants an entry of its own for each of its packages; what is new is in the other changelog. */
function debianChange(version, maintainer) {
  const { SOURCE_DATE_EPOCH: seconds } = process.env;
  const day = (seconds ? new Date(Number(seconds) * 1000) : new Date()).toUTCString().replace('GMT', '+0000');
  return `${NAME} (${version}) stable; urgency=medium\n\n  * See changelog.gz.\n\n -- ${maintainer}  ${day}\n`;
}

/** Whoever builds may have another umask. */
function setModes(tree) {
  chmodSync(tree, 0o755);
  for (const one of readdirSync(tree, { recursive: true, withFileTypes: true })) {
    const path = join(one.parentPath, one.name);
    chmodSync(path, one.isDirectory() || path === join(tree, PROGRAM) ? 0o755 : 0o644);
  }
}
