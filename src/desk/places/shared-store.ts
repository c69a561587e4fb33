/**
 * Where things are kept for an account: on this machine, or in the PostgreSQL that is named. Passwords are never taken from an
 * argument, which every process of the machine can read, and never shown.
 */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { keyLast4 } from '../../core/account.ts';
import { said } from '../../core/next.ts';
import { usage } from '../../core/problem.ts';
import type { Connection } from '../../profiles/connection.ts';
import { isPostgres } from '../../profiles/paths.ts';
import type { Desk } from '../desk.ts';
import { filedPassword } from './password-file.ts';

export interface StoreChoice {
  store: string | undefined;
  passwordFile: string | undefined;
}

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

/** Asks somebody for the password; answers an empty text where nobody can be asked. `where` has no password in it. */
export type AskPassword = (where: string) => Promise<string>;

export interface SharedStore {
  options: { url: string; password?: string };
  /** Without the password. */
  where: string;
}

/**
 * The PostgreSQL that is named, or that REMIT_STORE names; undefined where this machine keeps them.
 *
 * @param refusal what is said where something else is named
 * @throws Problem (usage)
 */
export async function sharedStore(
  desk: Desk,
  choice: StoreChoice,
  { refusal, left, ask }: { refusal: string; left: string; ask: AskPassword | undefined },
): Promise<SharedStore | undefined> {
  const store = namedStore(desk, choice);
  if (store === undefined) return undefined;
  if (!isPostgres(store))
    throw usage(
      refusal,
      said`such as ${{ give: 'store', value: 'postgres://user@db.example.com/remit' }}; left out, ${left} are kept on this machine`,
    );
  return sharedAt(desk, store, choice, ask);
}

/** Returns the store that is named, or the PostgreSQL of REMIT_STORE; undefined where this machine keeps it. */
export const namedStore = ({ machine: { env } }: Desk, { store }: StoreChoice): string | undefined =>
  store ?? (env.REMIT_STORE && isPostgres(env.REMIT_STORE) ? env.REMIT_STORE : undefined);

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
  const { REMIT_STORE: url } = desk.machine.env;
  if (url === undefined || !isPostgres(url)) return undefined;
  const { options, where } = await sharedAt(desk, url, { store: undefined, passwordFile: undefined });
  const { openPool } = await import('../../store/postgres-pool.ts');
  const { pool, close } = await openPool(options, { max: 1, holds: 'inbox' });
  try {
    await pool.query('SELECT 1');
  } finally {
    await close();
  }
  return where;
}

/** Base URL and key, as a digest: the key itself is nobody's business there. */
export function accountOf({ baseUrl, credentials }: Pick<Connection, 'baseUrl' | 'credentials'>): {
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
