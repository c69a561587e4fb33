/** The units of packaging/systemd, read as systemd reads them, and run under bwrap with their mounts and system calls. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Program, startRemit } from './program.ts';
import { ROOT } from './source-tree.ts';
import { temporaryFolder } from './temporary-folder.ts';

export const UNITS = join(ROOT, 'packaging/systemd');
export const unitNames = readdirSync(UNITS);
/** The interpreter of Debian, which has the packages of Debian. */
const PYTHON = '/usr/bin/python3';
const PROGRAM = '/usr/local/bin/remit';

export const canRun = [
  ['bwrap', '--ro-bind', '/', '/', '--unshare-user', '--uid', '61184', 'true'],
  [PYTHON, '-c', 'import seccomp'],
  ['systemd-analyze', '--version'],
].every(([file = '', ...words]) => spawnSync(file, words).status === 0);

/** What a setting has, over all of its lines. */
export const settingsOf = (name: string, key: string): string[] =>
  readFileSync(join(UNITS, name), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith(`${key}=`))
    .map((line) => line.slice(key.length + 1));

export const settingOf = (name: string, key: string): string => settingsOf(name, key).at(-1) ?? '';

/** The command line of the service, as somebody would type it. */
export const typedLine = (name: string): string => settingOf(name, 'ExecStart').replace(PROGRAM, 'remit');

const told = (file: string, words: readonly string[], input = ''): Buffer => {
  const { status, stdout, stderr } = spawnSync(file, words, { input });
  if (status !== 0) throw new Error(`${file}: ${stderr}`);
  return stdout;
};

/** The system calls of a set such as `@system-service`, as systemd has them. */
const callsOf = (set: string): string[] =>
  told('systemd-analyze', ['syscall-filter', set])
    .toString()
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /^@?[a-z]/.test(line) && line !== set)
    .flatMap((one) => (one.startsWith('@') ? callsOf(one) : [one]));

/** SystemCallFilter as the kernel takes it, in a file; RestrictAddressFamilies too. */
function filterOf(unit: string, folder: string): string {
  const calls = new Set(callsOf('@default'));
  for (const line of settingsOf(unit, 'SystemCallFilter'))
    for (const one of line.replace('~', '').split(' ').flatMap(callsOf))
      line.startsWith('~') ? calls.delete(one) : calls.add(one);
  const path = join(folder, 'filter');
  writeFileSync(path, told(PYTHON, [join(import.meta.dirname, 'seccomp-filter.py')], [...calls].join(' ')));
  return path;
}

export interface Machine {
  /** Stands for /etc/remit and for StateDirectory. */
  etc: string;
  state: string;
}

export function newMachine(): Machine {
  const folder = temporaryFolder();
  const made = { etc: join(folder, 'etc'), state: join(folder, 'state') };
  for (const one of Object.values(made)) mkdirSync(one, { mode: 0o700 });
  return made;
}

interface Started {
  program: Program;
  /** What RuntimeDirectory has. */
  runtime: string;
  /** Bwrap is no process between them, but it does not hand on signals. */
  signal(name: NodeJS.Signals): void;
}

/** Starts a service as its unit says: first ExecStartPre, then ExecStart, both behind the same mounts. */
export async function startUnit(
  { etc, state }: Machine,
  unit: string,
  { instance = '', env: more = {} }: { instance?: string; env?: Record<string, string> } = {},
): Promise<Started> {
  const expand = (text: string): string => text.replaceAll('%i', instance);
  const name = expand(settingOf(unit, 'RuntimeDirectory'));
  const folder = temporaryFolder();
  const runtime = join(folder, 'runtime');
  const credentials = join(folder, 'credentials');
  for (const one of [runtime, credentials]) mkdirSync(one, { mode: 0o700 });
  const inside = `/run/credentials/${name}.service`;
  for (const [id = '', path = ''] of settingsOf(unit, 'LoadCredential').map((one) => one.split(':')))
    spawnSync('install', ['-m', '440', path.replace('/etc/remit', etc), join(credentials, id)]);
  const env: Record<string, string> = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin',
    ...Object.fromEntries(
      settingsOf(unit, 'Environment').flatMap((line) =>
        expand(line)
          .split(' ')
          .map((one) => [one.replace(/=.*/, ''), one.replace(/^[^=]*=/, '')]),
      ),
    ),
    CREDENTIALS_DIRECTORY: inside,
    ...more,
  };
  const mounts = [
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...['/tmp', '/home', '/root', '/run', '/var'].flatMap((path) => ['--tmpfs', path]),
    ...['--ro-bind', ROOT, ROOT, '--ro-bind', process.execPath, process.execPath],
    ...['--ro-bind', credentials, inside, '--bind', runtime, `/run/${name}`],
    ...['--bind', state, '/var/lib/remit', '--remount-ro', '/run', '--remount-ro', '/var'],
    ...['--remount-ro', '/home', '--remount-ro', '/root'],
    ...['--unshare-user', '--unshare-ipc', '--uid', '61184', '--gid', '61184', '--cap-drop', 'ALL'],
    ...['--chdir', '/', '--new-session', '--die-with-parent'],
  ];
  const [shell = '', option = '', script = ''] =
    /^(\S+) (\S+) '(.*)'$/.exec(settingOf(unit, 'ExecStartPre').replaceAll('$$', '$'))?.slice(1) ?? [];
  const before = spawnSync('bwrap', [...mounts, shell, option, script], { env, encoding: 'utf8' });
  if (before.status !== 0) throw new Error(`ExecStartPre ends with ${before.status}: ${before.stderr}`);
  const words = expand(settingOf(unit, 'ExecStart'))
    .split(' ')
    .slice(1)
    .flatMap((word) => wordsOf(word, env));
  const keepsPid = ['/bin/sh', '-c', `echo $$ > /run/${name}/pid; exec "$@"`, 'sh'];
  const filtered = ['sh', '-c', `exec "$@" 9<${filterOf(unit, folder)}`, 'sh', 'bwrap', '--seccomp', '9'];
  const program = startRemit(words, env, [...filtered, ...mounts, ...keepsPid]);
  return {
    program,
    runtime,
    signal: (signal) => process.kill(Number(readFileSync(join(runtime, 'pid'), 'utf8')), signal),
  };
}

/** `$NAME` is as many words as it has, `${NAME}` is one or a part of one. */
const wordsOf = (word: string, env: Record<string, string>): string[] =>
  /^\$\w+$/.test(word)
    ? (env[word.slice(1)] ?? '').split(' ').filter(Boolean)
    : [word.replace(/\$\{(\w+)\}/g, (_, name: string) => env[name] ?? '')];
