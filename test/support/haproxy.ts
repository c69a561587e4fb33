/**
 * Debian's haproxy on loopback, with the configuration that comes with the package: only addresses and the certificate are others.
 * Where it is missing those tests are skipped; with REMIT_REQUIRE_HAPROXY=1, as in CI, they fail.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type Program, startProgram } from './program.ts';
import { ROOT } from './source-tree.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { TLS_FIXTURES } from './tls.ts';

const PROGRAM = '/usr/sbin/haproxy';
const CONFIGURATION = join(ROOT, 'packaging/haproxy/remit.cfg');

export const hasHaproxy =
  process.env.REMIT_REQUIRE_HAPROXY === '1' || spawnSync(PROGRAM, ['-v']).status === 0;
if (!hasHaproxy) process.stdout.write('SKIPPED: haproxy is not here\n');

/** Where a listener takes deliveries, and where `--admin` answers. */
export interface Backend {
  port: number;
  adminPort: number;
}

/** The configuration with these in place of its own: each address must be in it, so that it is not another one that is run. */
function configurationFor(port: number, backends: readonly Backend[], folder: string): string {
  const certificate = join(folder, 'hooks.pem');
  const parts = ['server.pem', 'server-key.pem'].map((name) =>
    readFileSync(join(TLS_FIXTURES, name), 'utf8'),
  );
  writeFileSync(certificate, parts.join('\n'), { mode: 0o600 });
  const changes: [old: string, now: string][] = [
    ['bind :443', `bind 127.0.0.1:${port}`],
    ['/etc/haproxy/hooks.pem', certificate],
    ['log /dev/log local0', 'log stderr format raw local0'],
    ...backends.map((backend, at): [string, string] => [
      `10.0.0.1${at + 1}:8080 port 9464\n`,
      `127.0.0.1:${backend.port} port ${backend.adminPort}\n`,
    ]),
  ];
  let text = readFileSync(CONFIGURATION, 'utf8');
  for (const [old, now] of changes) {
    if (text.lastIndexOf(old) < 0) throw new Error(`the configuration has no ${old}`);
    text = text.replace(old, now);
  }
  return text;
}

export interface Haproxy {
  program: Program;
  stop(): Promise<void>;
}

/** @throws with what it says, where it does not take its configuration without a warning */
export async function startHaproxy(port: number, backends: readonly Backend[]): Promise<Haproxy> {
  const folder = temporaryFolder();
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, configurationFor(port, backends, folder));
  const checked = spawnSync(PROGRAM, ['-c', '-f', file], { encoding: 'utf8' });
  const complaints = `${checked.stdout}${checked.stderr}`.replace('Configuration file is valid', '').trim();
  if (checked.status !== 0 || complaints !== '') throw new Error(complaints);
  const program = startProgram([PROGRAM, '-db', '-f', file], {});
  while (!(await takes(port)));
  return {
    program,
    async stop() {
      program.signal('SIGTERM');
      await program.ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** True where somebody takes a connection there. */
const takes = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => resolve(false)).on('connect', () => resolve(true));
    socket.on('close', () => socket.destroy()).on('connect', () => socket.end());
  });
