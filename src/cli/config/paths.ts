import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

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

/** The embedded store's file: REMIT_STORE (a file), else beside the settings. */
export function storePath(env: Env): string {
  return env.REMIT_STORE ? resolve(env.REMIT_STORE) : join(configDir(env), 'remit.db');
}
