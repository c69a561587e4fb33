/**
 * An image, and the program in it, run as a container engine runs it: root of its own that cannot be written, its user, its variables,
 * its volume, a process number of 1. Wants root, to be able to become the user of the image. The network is that of this machine.
 */
import { chmodSync, chownSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildah, OWNER } from '../../src/build/container.js';
import { temporaryFolder } from './child-program.ts';
import { type Program, startProgram } from './program.ts';

interface Config {
  User: string;
  Env: string[];
  Entrypoint: string[];
  Volumes: Record<string, unknown>;
  StopSignal: string;
  WorkingDir: string;
  Labels: Record<string, string>;
}

export interface Image {
  config: Config;
  /** The files, in a folder. */
  root: string;
  /** What buildah itself starts in a container of it. */
  run(...line: string[]): string;
  remove(): void;
}

/** Opens an OCI archive with a store of images that is its own. */
export function openImage(archive: string): Image {
  const store = temporaryFolder();
  const ask = (...words: string[]): string => buildah(store, words).trim();
  const container = ask('from', `oci-archive:${archive}`);
  return {
    config: JSON.parse(ask('inspect', container)).OCIv1.config,
    root: ask('mount', container),
    run: (...line) => ask('run', '--isolation', 'chroot', container, '--', ...line),
    remove: () => ask('rm', container),
  };
}

export interface Places {
  /** Folders of this machine: the volume, and what stands for the memory that settings are put into. */
  state: string;
  settings: string;
  /** Read like a secret that an engine mounts. */
  given: string;
}

/** As Kubernetes makes them with `fsGroup`: the volume is the group's, everybody may write into the memory, all belongs to root. */
export function newPlaces(): Places {
  const folder = temporaryFolder();
  const made = {
    state: join(folder, 'state'),
    settings: join(folder, 'settings'),
    given: join(folder, 'given'),
  };
  for (const one of Object.values(made)) mkdirSync(one, { mode: 0o755 });
  chownSync(made.state, 0, OWNER);
  chmodSync(made.state, 0o2775);
  chmodSync(made.settings, 0o777);
  return made;
}

const MOUNTS = `set -e
root=$1 mode=$2 state=$3 settings=$4 given=$5; shift 5
mount --bind "$root" "$root"
mount --options "remount,bind,$mode" "$root"
mount --bind "$state" "$root/var/lib/remit"
mount --bind "$settings" "$root/run/remit"
mount --bind "$given" "$root/sys"
mount --types proc proc "$root/proc"
mount --rbind /dev "$root/dev"
exec env -i "$@"`;

interface Started {
  program: Program;
  /** To the program itself, which an engine does too; `unshare` does not hand it on. */
  signal(name: NodeJS.Signals): void;
}

/** @param isWritable whether the root may be written, as far as its user may */
export function startImage(
  { config, root }: Image,
  { state, settings, given }: Places,
  argv: readonly string[],
  { env = {}, isWritable = false }: { env?: Record<string, string>; isWritable?: boolean } = {},
): Started {
  const mode = isWritable ? 'rw' : 'ro';
  const variables = Object.entries({ NO_COLOR: '1', ...env }).map(([name, value]) => `${name}=${value}`);
  const program = startProgram(
    [
      ...['unshare', '--mount', '--pid', '--fork', '--kill-child'],
      ...['sh', '-c', MOUNTS, 'sh', root, mode, state, settings, given],
      ...[...config.Env, ...variables, '/usr/sbin/chroot', `--userspec=${config.User}`, '--groups=', root],
      ...[...config.Entrypoint, ...argv],
    ],
    {},
  );
  const pid = program.process.pid ?? Number.NaN;
  return {
    program,
    signal: (name) =>
      process.kill(Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()), name),
  };
}
