/**
 * Where things are kept for an account: on this machine, or in the PostgreSQL that is named. Passwords are never taken from an
 * argument, which every process of the machine can read, and never shown.
 */

import { hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { keyLast4 } from '../core/account.ts';
import type { Env } from '../core/env.ts';
import { hint } from '../core/next.ts';
import { usage } from '../core/problem.ts';
import type { Connection } from '../profiles/connection.ts';
import { homeFolder, isPostgres, namedPostgres } from '../profiles/paths.ts';
import type { Desk } from './desk.ts';

export interface StoreChoice {
  store: string | undefined;
  passwordFile: string | undefined;
}

/** The store of the machine, or the one that REMIT_STORE names. */
export const USUAL: StoreChoice = { store: undefined, passwordFile: undefined };

/** People and logs name it by its URL, without the password. */
function shownStore(store: string): string {
  const url = storeUrl(store);
  if (url.password !== '') url.password = '***';
  for (const name of PASSWORDS) if (url.searchParams.has(name)) url.searchParams.set(name, '***');
  return url.href;
}

/** node-postgres takes them there too. */
const PASSWORDS = ['password', 'sslpassword'];
export const hasPassword = (url: URL): boolean =>
  url.password !== '' || PASSWORDS.some((name) => url.searchParams.has(name));

/** @throws Problem (usage) */
export function storeUrl(store: string): URL {
  try {
    return new URL(store);
  } catch {
    throw usage('the store is not a URL', 'such as postgres://user@db.example.com/remit');
  }
}

/** Asks the user for the password; answers an empty text without a user to ask. `where` has no password in it. */
export type AskPassword = (where: string) => Promise<string>;

export interface SharedStore {
  options: { url: string; password?: string };
  /** Without the password. */
  where: string;
}

/**
 * The PostgreSQL of pay runs that is named, or that REMIT_STORE names; undefined where this machine keeps them.
 *
 * @throws Problem (usage)
 */
export async function sharedStore(
  desk: Desk,
  choice: StoreChoice,
  ask: AskPassword | undefined,
): Promise<SharedStore | undefined> {
  const store = namedStore(desk, choice);
  if (store === undefined) return undefined;
  if (!isPostgres(store))
    throw usage(
      'pay runs are shared through a PostgreSQL, and this is none',
      hint`such as ${{ give: 'store', value: 'postgres://user@db.example.com/remit' }}; left out, runs are kept on this machine`,
    );
  return sharedAt(desk, store, choice, ask);
}

/** Returns the store that is named, or the PostgreSQL of REMIT_STORE; undefined where this machine keeps it. */
export const namedStore = ({ machine: { env } }: Desk, { store }: StoreChoice): string | undefined =>
  store ?? namedPostgres(env);

export async function sharedAt(
  desk: Desk,
  url: string,
  choice: StoreChoice,
  ask?: AskPassword,
): Promise<SharedStore> {
  const password = await passwordFor(desk, url, choice, ask);
  return { options: { url, ...(password === undefined ? {} : { password }) }, where: shownStore(url) };
}

/**
 * Where the PostgreSQL is that REMIT_STORE names, once it let us in; undefined where it names none. Nothing is made there.
 *
 * @throws StoreError, Problem (usage)
 */
export async function reachedStore(desk: Desk): Promise<string | undefined> {
  const url = namedPostgres(desk.machine.env);
  if (url === undefined) return undefined;
  const { options, where } = await sharedAt(desk, url, USUAL);
  const { openPool } = await import('../disk/postgres-pool.ts');
  const { pool, close } = await openPool(options, { max: 1, holds: 'inbox' });
  try {
    await pool.query('SELECT 1');
  } finally {
    await close();
  }
  return where;
}

/** Base URL and key, as a digest: the key itself does not belong there. */
export function storeAccountOf({ baseUrl, credentials }: Pick<Connection, 'baseUrl' | 'credentials'>): {
  id: string;
  short: string;
} {
  const digest = hash('sha256', `${baseUrl}\n${credentials.key}`, 'hex');
  const last4 = keyLast4(credentials.key).replace(/[^\w-]/g, '_');
  return { id: digest.slice(0, 32), short: `${last4}-${digest.slice(0, 8)}` };
}

async function passwordFor(
  desk: Desk,
  where: string,
  { passwordFile }: StoreChoice,
  ask: AskPassword | undefined,
): Promise<string | undefined> {
  const { env, cwd } = desk.machine;
  if (passwordFile !== undefined)
    return (await readFile(resolve(cwd, passwordFile), 'utf8')).replace(/\r?\n$/, '');
  if (hasPassword(storeUrl(where)) || env.PGPASSWORD) return undefined;
  const filed = filedPassword(env, storeUrl(where));
  if (filed !== undefined || ask === undefined) return filed;
  const asked = await ask(shownStore(where));
  return asked === '' ? undefined : asked;
}

/**
 * PostgreSQL's own password file: PGPASSFILE, else ~/.pgpass.
 * https://www.postgresql.org/docs/current/libpq-pgpass.html Read here, because node-postgres is about to stop
 * reading it, and says so on stderr. Undefined when there is no such file, none for this server, or others
 * may read it.
 */
function filedPassword(env: Env, url: URL): string | undefined {
  const lines = readLines(passwordFile(env));
  const wanted = [
    url.hostname || 'localhost',
    url.port || '5432',
    decodeURIComponent(url.pathname.slice(1)) || decodeURIComponent(url.username),
    decodeURIComponent(url.username),
  ];
  for (const line of lines) {
    const [password, ...rest] = fieldsOf(line).reverse();
    const fields = rest.reverse();
    if (fields.length !== wanted.length) continue;
    if (fields.every((field, i) => field === '*' || field === wanted[i])) return password;
  }
  return undefined;
}

function passwordFile(env: Env): string | undefined {
  if (env.PGPASSFILE) return env.PGPASSFILE;
  if (process.platform === 'win32') return join(env.APPDATA ?? '.', 'postgresql', 'pgpass.conf');
  const home = homeFolder(env);
  return home === undefined ? undefined : join(home, '.pgpass');
}

function readLines(path: string | undefined): string[] {
  if (path === undefined) return [];
  try {
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) return [];
    return readFileSync(path, 'utf8').split(/\r?\n/);
  } catch {
    return [];
  }
}

/** host:port:database:user:password; a backslash keeps a colon or a backslash. */
function fieldsOf(line: string): string[] {
  if (line.startsWith('#')) return [];
  const fields = [''];
  for (const [token] of line.matchAll(/\\.|[^\\]/gs)) {
    if (token === ':') fields.push('');
    else fields[fields.length - 1] += token.slice(-1);
  }
  return fields.slice(0, 5);
}
