import { tmpdir, userInfo } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { Env } from '../core/env.ts';
import { refusePlantedFolder } from './trust.ts';

/** A folder that a variable names with a whole path: half a path is passed over, as the standard for these folders asks. */
export const namedFolder = (path: string | undefined): string | undefined =>
  path !== undefined && isAbsolute(path) ? path : undefined;

/** REMIT_CONFIG_DIR, else the platform's place for settings. Never below the current folder. */
export function configDir(env: Env): string {
  if (env.REMIT_CONFIG_DIR) return resolve(env.REMIT_CONFIG_DIR);
  const named = namedFolder(env.XDG_CONFIG_HOME);
  if (named !== undefined) return join(named, 'remit');
  const home = homeFolder(env);
  if (process.platform === 'win32' && env.APPDATA) return join(env.APPDATA, 'remit');
  if (home === undefined) return homelessDir();
  if (process.platform === 'win32') return join(home, 'AppData', 'Roaming', 'remit');
  return process.platform === 'darwin'
    ? join(home, 'Library', 'Preferences', 'remit')
    : join(home, '.config', 'remit');
}

/**
 * The journal must be somewhere before money moves. Others can write beside this folder, so it counts only if it is a folder of
 * this user alone. @throws Problem (config)
 */
function homelessDir(): string {
  const folder = homelessPath();
  refusePlantedFolder(folder);
  return folder;
}

const homelessPath = (): string => join(tmpdir(), `remit-${process.geteuid?.() ?? 'user'}`);

/**
 * True where the journal lies in a temporary folder, since nothing says where this user keeps settings: then it may
 * be gone tomorrow.
 */
export const isJournalTemporary = (env: Env): boolean =>
  namedFile(env) === undefined && configDir(env) === homelessPath();

/** True where it names a PostgreSQL rather than a file. */
export const isPostgres = (store: string): boolean => /^postgres(?:ql)?:/i.test(store);

/** The PostgreSQL that REMIT_STORE names: it has what machines share. */
export const namedPostgres = ({ REMIT_STORE: store }: Env): string | undefined =>
  store && isPostgres(store) ? store : undefined;

const namedFile = ({ REMIT_STORE: store }: Env): string | undefined =>
  store && !isPostgres(store) ? resolve(store) : undefined;

/** The journal's file: the one that REMIT_STORE names, else beside the settings. */
export const storePath = (env: Env): string => namedFile(env) ?? join(configDir(env), 'remit.db');

/** The books of an account: a copy that can be made again, so it is apart from the journal. */
export function booksPath(env: Env, account: string): string {
  const file = storePath(env);
  return join(dirname(file), `${basename(file, '.db')}-books-${account}.db`);
}

/** The key of books without names: beside the settings, so that a copy of the books alone does not have it. */
export const booksKeyPath = (env: Env, account: string): string =>
  join(configDir(env), `books-${account}.key`);

/** Webhooks received have a file of their own for each account, beside the journal: they are large, and money goes first. */
export function inboxPath(env: Env, account: string): string {
  const file = storePath(env);
  return join(dirname(file), `${basename(file, '.db')}-webhooks-${account}.db`);
}

/**
 * The user's own folder, where there is one: in a container there may be neither HOME nor an entry for the
 * user. Always a whole path: an empty HOME would otherwise put everything below the current folder.
 */
export function homeFolder(env: Env): string | undefined {
  if (env.HOME && isAbsolute(env.HOME)) return env.HOME;
  try {
    const { homedir } = userInfo();
    return isAbsolute(homedir) ? homedir : undefined;
  } catch {
    return undefined; // no such user
  }
}
