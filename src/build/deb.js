/** The Debian package of the one file (decision 0104): a list of what goes where, and Debian's own `dpkg-deb`. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

const root = new URL('../..', import.meta.url).pathname;
const NAME = 'remit-cli';
const DOC = `usr/share/doc/${NAME}`;
const DEBIAN = 'packaging/debian';

/** Places in the package, by the path of the clone. */
const PLACES = {
  'completions/remit.bash': 'usr/share/bash-completion/completions/remit',
  'completions/_remit': 'usr/share/zsh/vendor-completions/_remit',
  'completions/remit.fish': 'usr/share/fish/vendor_completions.d/remit.fish',
  [`${DEBIAN}/lintian-overrides`]: `usr/share/lintian/overrides/${NAME}`,
};
const UNITS = 'packaging/systemd';
const MANUAL = 'dist/man/man1';

/**
 * @param folder has `remit` and `NOTICES.txt`, and gets the package
 * @returns the path of the package
 */
export function buildDeb(folder, { work, version, release }) {
  const tree = join(work, 'deb');
  const write = (path, content) => {
    mkdirSync(join(tree, dirname(path)), { recursive: true });
    writeFileSync(join(tree, path), content);
  };
  /** Without the time, so that one source gives the same bytes. */
  const pack = (path, content) => write(`${path}.gz`, gzipSync(content, { level: 9 }));
  const text = (path) => readFileSync(join(root, path), 'utf8');
  for (const [from, to] of Object.entries(PLACES)) write(to, text(from));
  for (const name of readdirSync(join(root, UNITS)))
    write(
      `usr/lib/systemd/system/${name}`,
      text(`${UNITS}/${name}`).replaceAll('/usr/local/bin/', '/usr/bin/'),
    );
  for (const name of readdirSync(join(root, MANUAL)))
    pack(`usr/share/man/man1/${name}`, text(`${MANUAL}/${name}`));
  write(`${DOC}/copyright`, `${text(`${DEBIAN}/copyright`)}\n${text('LICENSE')}`);
  pack(`${DOC}/NOTICES`, readFileSync(join(folder, 'NOTICES.txt')));
  pack(`${DOC}/changelog`, text('CHANGELOG.md'));
  const maintainer = release.author ?? 'the remit authors <unknown@remit.invalid>';
  pack(`${DOC}/changelog.Debian`, debianChange(`${version}-1`, maintainer));
  mkdirSync(join(tree, 'usr/bin'));
  cpSync(join(folder, 'remit'), join(tree, 'usr/bin/remit'));
  const files = readdirSync(tree, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort();
  write('DEBIAN/md5sums', paths.map((path) => `${md5(path)}  ${path.slice(tree.length + 1)}\n`).join(''));
  const size = paths.reduce((sum, path) => sum + Math.ceil(statSync(path).size / 1024), 0);
  write('DEBIAN/control', control({ version: `${version}-1`, maintainer, size, homepage: release.homepage }));
  setModes(tree);
  const deb = join(folder, `${NAME}_${version}-1_amd64.deb`);
  execFileSync('dpkg-deb', ['--build', '--root-owner-group', '-Zxz', '-z1', tree, deb], { stdio: 'pipe' });
  return deb;
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
    chmodSync(path, one.isDirectory() || path.endsWith('/usr/bin/remit') ? 0o755 : 0o644);
  }
}
