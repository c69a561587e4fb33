/** `remit webhooks listen`, the built program, on a port and an inbox that outlive it: killed, it starts again on both. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { seededRandom } from '../../src/core/random.ts';
import { storeAccountOf } from '../../src/payments/shared-store.ts';
import type { Inbox, KeptDelivery } from '../../src/webhooks/store/port.ts';
import { openSqliteInbox } from '../../src/webhooks/store/sqlite.ts';
import { real } from './clock.ts';
import { credentials, Heard } from './listening.ts';
import { portOf } from './servers.ts';

const BIN = fileURLToPath(new URL('../../bin/remit.js', import.meta.url));
const BASE_URL = 'http://127.0.0.1:9/v1';

export interface Line {
  kind: string;
  data: Record<string, unknown> & { id?: string; body_b64?: string };
}

export interface Fire {
  process: ChildProcess;
  /** Of the listener itself, also where it runs within another program. */
  pid: number;
  url: string;
  /** Whole lines of its output; one that a kill cut in two is none. */
  lines: Heard<Line>;
  stderr(): string;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  /** Ctrl-C, and how it ended. */
  stop(): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export interface FireOptions {
  /** Settings, inbox and working directory. */
  dir: string;
  port: number;
  args?: readonly string[];
  /** A program and its arguments that ours is run by. */
  through?: readonly string[];
  env?: Record<string, string>;
  /** Instead of the one in `dir`. */
  store?: string;
  onLine?: (line: Line) => void;
}

export const inboxIn = (dir: string): string => join(dir, 'inbox.db');

/** @throws when it ends before it is ready, with what it said */
export async function startFire(options: FireOptions): Promise<Fire> {
  const fire = spawnListener(options);
  const early = fire.ended.then(({ code }) => {
    throw new Error(`it ended with ${code} before it was ready: ${fire.stderr()}`);
  });
  const [ready] = await Promise.race([fire.lines.count(1), early]);
  early.catch(() => undefined);
  if (ready?.kind !== 'ready') throw new Error(`it said ${JSON.stringify(ready)} first`);
  return fire;
}

/** As `startFire`, without waiting: for one that is to fail. */
export function spawnListener({ dir, port, args = [], through = [], env, store, onLine }: FireOptions): Fire {
  const flags = ['--port', String(port), '--store', store ?? inboxIn(dir), '--no-register', '--no-catch-up'];
  const ours = [process.execPath, BIN, 'webhooks', 'listen', ...flags, '-o', 'ndjson', ...args];
  const [file = '', ...rest] = [...through, ...ours];
  const child = spawn(file, rest, {
    cwd: dir,
    env: { ...environment(dir), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines = new Heard<Line>();
  readLines(child, (line) => {
    lines.add(line);
    onLine?.(line);
  });
  let err = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    err += chunk.toString('utf8');
  });
  const ended: Fire['ended'] = new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  const stop: Fire['stop'] = () => {
    child.kill('SIGINT');
    return ended;
  };
  const url = `http://127.0.0.1:${port}`;
  return { process: child, pid: child.pid ?? 0, url, lines, stderr: () => err, ended, stop };
}

const environment = (dir: string): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  NO_COLOR: '1',
  HOME: dir,
  REMIT_CONFIG_DIR: dir,
  REMIT_BASE_URL: BASE_URL,
  REMIT_API_KEY: credentials.key,
  REMIT_API_SECRET: credentials.secret,
  // Bodies are compared byte for byte.
  REMIT_REVEAL: '1',
});

function readLines(child: ChildProcess, onLine: (line: Line) => void): void {
  let held = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (held + chunk).split('\n');
    held = parts.pop() ?? '';
    for (const part of parts) onLine(JSON.parse(part));
  });
}

/** Free a moment ago; what listens there next is ours. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** The inbox of a listener that is not running, or of one that is. */
export async function readInbox<T>(path: string, work: (inbox: Inbox) => Promise<T>): Promise<T> {
  const { id: account } = storeAccountOf({ baseUrl: BASE_URL, credentials });
  const random = seededRandom('a reader');
  const inbox = await openSqliteInbox(path, { account, clock: real, random });
  try {
    return await work(inbox);
  } finally {
    await inbox.close();
  }
}

/** Everything in it, oldest first. */
export function everything(path: string): Promise<KeptDelivery[]> {
  return readInbox(path, async (inbox) => {
    const rows = (await inbox.list({}, { limit: 1_000_000 })).reverse();
    const whole = await Promise.all(rows.map(({ id }) => inbox.get(id)));
    return whole.filter((one) => one !== undefined);
  });
}

/** Resident memory of a process in MB: now, and at its highest. */
export function memoryOf(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mb = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  return { now: mb('VmRSS'), peak: mb('VmHWM') };
}
