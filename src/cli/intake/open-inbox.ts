/**
 * The inbox of the account at hand: a file of its own, or the PostgreSQL that --store or REMIT_STORE names. Passwords are never
 * taken from an argument, which every process of the machine can read, and never shown.
 */
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Inbox } from '../../core/ports/inbox.ts';
import { type Flag, flagText, type Input } from '../command.ts';
import { type Connection, keyLast4 } from '../config/connection.ts';
import { inboxPath, isPostgres } from '../config/paths.ts';
import type { Context } from '../context.ts';
import { usage } from '../failure.ts';
import { filedPassword } from './password-file.ts';

export interface StoreChoice {
  store: string | undefined;
  passwordFile: string | undefined;
}

export const storeFlags: readonly Flag[] = [
  {
    flags: '--store <where>',
    summary: 'a file, or postgres://user@host/database that several listeners share (or REMIT_STORE)',
  },
  {
    flags: '--store-password-file <path>',
    summary: 'the password of the PostgreSQL; else from REMIT_STORE, PGPASSWORD, ~/.pgpass or a prompt',
  },
];

export function readStore(input: Input): StoreChoice {
  const store = flagText(input, 'store');
  if (store !== undefined && isPostgres(store) && hasPassword(parsed(store)))
    throw usage(
      'a password in an argument can be read by every process of this machine',
      'put the whole URL in REMIT_STORE, or the password in a file: --store-password-file PATH',
    );
  return { store, passwordFile: flagText(input, 'storePasswordFile') };
}

/** For people and for logs: the file, or the URL without its password. */
export function shownStore(where: string): string {
  if (!isPostgres(where)) return where;
  const url = parsed(where);
  if (url.password !== '') url.password = '***';
  for (const name of PASSWORDS) if (url.searchParams.has(name)) url.searchParams.set(name, '***');
  return url.href;
}

/** node-postgres takes them there too. */
const PASSWORDS = ['password', 'sslpassword'];
const hasPassword = (url: URL): boolean =>
  url.password !== '' || PASSWORDS.some((name) => url.searchParams.has(name));

function parsed(store: string): URL {
  try {
    return new URL(store);
  } catch {
    throw usage('the store is not a URL', 'such as postgres://user@db.example.com/remit');
  }
}

export interface OpenedInbox {
  inbox: Inbox;
  /** Without a password. */
  where: string;
}

/** @throws StoreError, Failure (usage) */
export async function openInbox(context: Context, choice: StoreChoice): Promise<OpenedInbox> {
  const { env, clock, random } = context.world;
  const account = accountOf(await context.connection());
  const where =
    choice.store ?? (env.REMIT_STORE && isPostgres(env.REMIT_STORE) ? env.REMIT_STORE : undefined);
  if (where !== undefined && isPostgres(where))
    return openPostgres(context, where, { choice, account: account.id });
  const path = where === undefined ? inboxPath(env, account.short) : resolve(context.world.cwd, where);
  const { openSqliteInbox } = await import('../../store/sqlite-inbox.ts');
  const inbox = await openSqliteInbox(path, { account: account.id, clock, random });
  context.closing(() => inbox.close());
  return { inbox, where: path };
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

async function openPostgres(
  context: Context,
  where: string,
  { choice, account }: { choice: StoreChoice; account: string },
): Promise<OpenedInbox> {
  const password = await passwordFor(context, where, choice);
  const { openPostgresInbox } = await import('../../store/postgres-inbox.ts');
  const inbox = await openPostgresInbox(
    { url: where, ...(password === undefined ? {} : { password }) },
    { account, random: context.world.random },
  );
  context.closing(() => inbox.close());
  return { inbox, where: shownStore(where) };
}

async function passwordFor(
  context: Context,
  where: string,
  { passwordFile }: StoreChoice,
): Promise<string | undefined> {
  const { env, cwd } = context.world;
  if (passwordFile !== undefined)
    return (await readFile(resolve(cwd, passwordFile), 'utf8')).replace(/\r?\n$/, '');
  if (hasPassword(parsed(where)) || env.PGPASSWORD) return undefined;
  const filed = filedPassword(env, parsed(where));
  if (filed !== undefined || !context.interactive) return filed;
  const { askSecret } = await import('../terminal/prompt.ts');
  const asked = await askSecret(context, `Password for ${shownStore(where)} (Enter for none)`);
  return asked === '' ? undefined : asked;
}
