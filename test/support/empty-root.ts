/** A machine with next to nothing on it: a root that holds one program and the libraries that it wants, entered by bwrap. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

/** The paths of the libraries that a program wants, as the loader of this machine finds them. */
export const librariesOf = (file: string): string[] =>
  [...execFileSync('ldd', [file], { encoding: 'utf8' }).matchAll(/^\s+(?:.* => )?(\/\S+)/gm)].map(
    ([, path = '']) => path,
  );

/** @returns the folder of the root, with the program in /usr/bin */
export function emptyRoot(name: string, file: string): string {
  const root = temporaryFolder();
  for (const folder of ['proc', 'dev', 'tmp', 'home']) mkdirSync(join(root, folder));
  const place = (from: string, to: string): void => {
    mkdirSync(join(root, dirname(to)), { recursive: true });
    copyFileSync(from, join(root, to));
  };
  for (const path of librariesOf(file)) place(path, path);
  place(file, `usr/bin/${name}`);
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
