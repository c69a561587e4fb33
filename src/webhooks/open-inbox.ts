/** The inbox of the account at hand: a file of its own, or the PostgreSQL that is named. */
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { StoreError } from '../disk/store-error.ts';
import type { Desk } from '../payments/desk.ts';
import {
  type AskPassword,
  namedStore,
  type SharedStore,
  type StoreChoice,
  sharedAt,
  storeAccountOf,
  USUAL,
} from '../payments/shared-store.ts';
import { inboxPath, isPostgres, namedPostgres } from '../profiles/paths.ts';
import type { Inbox } from './store/port.ts';

export interface OpenedInbox {
  inbox: Inbox;
  /** Where the inbox is, without a password: it is printed. */
  where: string;
  /** Writes a small note of its own, and resolves when it is committed where others find it. @throws StoreError, Error */
  commit(): Promise<void>;
}

/** Opens the inbox of the account if there is one: a look creates none, and never prompts for a password. */
export async function inboxIfAny(desk: Desk): Promise<Inbox | undefined> {
  const { env } = desk.machine;
  const { short } = storeAccountOf(await desk.connection());
  if (namedPostgres(env) === undefined && !existsSync(inboxPath(env, short))) return undefined;
  return (await openInbox(desk, USUAL)).inbox;
}

/** @throws StoreError, Problem (usage) */
export async function openInbox(
  desk: Desk,
  choice: StoreChoice,
  askPassword?: AskPassword,
): Promise<OpenedInbox> {
  const { env, cwd } = desk.machine;
  const account = storeAccountOf(await desk.connection());
  const named = namedStore(desk, choice);
  if (named !== undefined && isPostgres(named))
    return openPostgres(desk, account.id, await sharedAt(desk, named, choice, askPassword));
  const path = named === undefined ? inboxPath(env, account.short) : resolve(cwd, named);
  const { clock, random } = desk;
  const { openSqliteInbox } = await import('./store/sqlite.ts');
  const inbox = await openSqliteInbox(path, { account: account.id, clock, random });
  desk.closing(() => inbox.close());
  const opened = placeOf(path);
  return {
    inbox,
    where: path,
    async commit() {
      await inbox.setNote(COMMITTED, 'yes');
      if (placeOf(path) !== opened)
        throw new StoreError('unreadable', path, 'another file stands in its place', { holds: 'inbox' });
    },
  };
}

const COMMITTED = 'admin_committed';

/** Identifies a file: SQLite goes on writing to a removed one, and the rows are lost. */
function placeOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? 'none' : `${found.dev} ${found.ino}`;
}

async function openPostgres(
  desk: Desk,
  account: string,
  { options, where }: SharedStore,
): Promise<OpenedInbox> {
  const { openPostgresInbox } = await import('./store/postgres.ts');
  const inbox = await openPostgresInbox(options, { account, random: desk.random });
  desk.closing(() => inbox.close());
  return { inbox, where, commit: () => inbox.setNote(COMMITTED, 'yes') };
}
