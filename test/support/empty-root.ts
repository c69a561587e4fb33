/** A machine with next to nothing on it: a root that holds a Debian package and those that it depends on, entered by bwrap. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './child-program.ts';

const told = (file: string, ...words: string[]): string => execFileSync(file, words, { encoding: 'utf8' });

/** `libc6 (>= 2.28), libstdc++6 | other` names the first of each choice. */
const namesIn = (depends: string): string[] =>
  depends
    .split(',')
    .map((one) => /^\s*([a-z0-9.+-]+)/.exec(one)?.[1] ?? '')
    .filter((name) => name !== '');

/** The packages that a package depends on, as it says itself. */
export const dependsOf = (deb: string): string[] => namesIn(told('dpkg-deb', '--field', deb, 'Depends'));

/** With all that they depend on, as this machine has them installed. */
function closureOf(names: readonly string[]): string[] {
  const all = new Set<string>();
  const take = (name: string): void => {
    if (all.has(name)) return;
    all.add(name);
    const depends = told('dpkg-query', '--status', name).matchAll(/^(?:Pre-)?Depends: (.*)$/gm);
    for (const [, line = ''] of depends) namesIn(line).forEach(take);
  };
  names.forEach(take);
  return [...all];
}

/** @returns the folder of the root */
export function emptyRoot(deb: string, packages: readonly string[]): string {
  const root = temporaryFolder();
  for (const name of ['lib', 'lib64', 'bin', 'sbin']) {
    mkdirSync(join(root, 'usr', name), { recursive: true });
    symlinkSync(`usr/${name}`, join(root, name));
  }
  for (const name of ['proc', 'dev', 'tmp', 'home']) mkdirSync(join(root, name));
  const files = closureOf(packages).flatMap((name) => told('dpkg-query', '--listfiles', name).split('\n'));
  const list = join(temporaryFolder(), 'files');
  writeFileSync(list, files.filter((path) => path !== '' && path !== '/.').join('\n'));
  const copy =
    'tar --create --no-recursion --files-from "$1" | tar --extract --keep-directory-symlink --directory "$2"';
  execFileSync('sh', ['-c', `cd / && ${copy}`, 'sh', list, root], { stdio: 'pipe' });
  execFileSync('dpkg-deb', ['--extract', deb, root]);
  return root;
}

/** The words before a program that runs in there, with these variables, these folders of this machine and, where it is said, its network and processes. */
export function inRoot(
  root: string,
  {
    env = {},
    folders = [],
    shared = false,
  }: { env?: Record<string, string>; folders?: readonly string[]; shared?: boolean } = {},
): string[] {
  const variables = Object.entries({ HOME: '/home', NO_COLOR: '1', ...env });
  return [
    ...['bwrap', '--ro-bind', root, '/', '--proc', '/proc', '--dev', '/dev'],
    ...['--tmpfs', '/tmp', '--tmpfs', '/home'],
    ...folders.flatMap((folder) => ['--bind', folder, folder]),
    ...(shared ? ['--unshare-user', '--unshare-ipc', '--unshare-uts'] : ['--unshare-all']),
    ...['--clearenv', ...variables.flatMap((variable) => ['--setenv', ...variable])],
    ...['--chdir', '/home', '--new-session', '--die-with-parent'],
  ];
}
