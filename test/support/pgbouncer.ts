/** A real PgBouncer in transaction mode before a PostgreSQL of the tests: a connection is another one after each transaction. */
import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './fire-listener.ts';

export interface Bouncer {
  url: string;
  stop(): Promise<void>;
}

const PROGRAM = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((path) => runs(path));

function runs(path: string): boolean {
  try {
    execFileSync(path, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Where it is missing a test is skipped, and printed as skipped. */
export const isBouncerHere = PROGRAM !== undefined;

/** @param url with user, password, port and database of the server */
export async function startBouncer(url: string): Promise<Bouncer> {
  if (PROGRAM === undefined) throw new Error('pgbouncer is not installed');
  const { username, password, hostname, port, pathname } = new URL(url);
  const database = pathname.slice(1);
  const folder = mkdtempSync(join(tmpdir(), 'remit-pgbouncer-'));
  const listenPort = await freePort();
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(
    settings,
    `[databases]
${database} = host=${hostname} port=${port} dbname=${database} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
auth_type = any
pool_mode = transaction
default_pool_size = 3
unix_socket_dir =
`,
  );
  chmodSync(folder, 0o755);
  chmodSync(settings, 0o644);
  const isRoot = process.getuid?.() === 0;
  // It does not run as root, and the server's own user is there.
  const bouncer = spawn(PROGRAM, [...(isRoot ? ['-u', 'postgres'] : []), settings], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => bouncer.on('exit', () => resolve()));
  while (!(await answers(listenPort)))
    if (bouncer.exitCode !== null) throw new Error(`pgbouncer ended with ${bouncer.exitCode}`);
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${listenPort}/${database}`,
    async stop() {
      bouncer.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (is: boolean) => {
      socket.destroy();
      setImmediate(() => resolve(is));
    };
    socket.on('connect', () => end(true));
    socket.on('error', () => end(false));
  });
