import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** REMIT_CONFIG_DIR, else the platform's place for settings. */
export function configDir(env: Env): string {
  if (env.REMIT_CONFIG_DIR) return resolve(env.REMIT_CONFIG_DIR);
  if (env.XDG_CONFIG_HOME) return join(env.XDG_CONFIG_HOME, 'remit');
  const home = env.HOME || homedir();
  if (process.platform === 'win32') return join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'remit');
  return process.platform === 'darwin'
    ? join(home, 'Library', 'Preferences', 'remit')
    : join(home, '.config', 'remit');
}

/** Whether it names a PostgreSQL rather than a file. */
export const isPostgres = (store: string): boolean => /^postgres(?:ql)?:/i.test(store);

/** The journal's file: REMIT_STORE (a file), else beside the settings. A PostgreSQL holds webhooks only. */
export function storePath(env: Env): string {
  const store = env.REMIT_STORE;
  return store && !isPostgres(store) ? resolve(store) : join(configDir(env), 'remit.db');
}

/** Webhooks received have a file of their own for each account, beside the journal: they are large, and money goes first. */
export function inboxPath(env: Env, account: string): string {
  const file = storePath(env);
  return join(dirname(file), `${basename(file, '.db')}-webhooks-${account}.db`);
}
