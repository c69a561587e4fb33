/**
 * Profiles on disk: where the service is, which environment it is, which key. Secrets are kept apart (secrets.ts).
 * A file that is broken or unreadable is never overwritten: it is said, and the command ends with 78.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../core/clock.ts';
import { configProblem } from '../core/problem.ts';
import { type ProfileLimits, readLimits } from './limits.ts';
import { withLock } from './lock.ts';
import { configDir } from './paths.ts';
import { openOwnFolder, refuseOpenFile, refuseOpenFolder } from './trust.ts';

export type Environment = 'sandbox' | 'production';

export interface Profile extends ProfileLimits {
  baseUrl: string;
  environment: Environment;
  key: string;
  secretIn: 'keychain' | 'file';
  scheme?: 'signature' | 'secret';
  /** A file with certificate authorities to trust. */
  caFile?: string;
  /** Plain HTTP to another host was allowed at login. */
  insecure?: boolean;
  /** How its results are printed where nothing else is said. */
  output?: string;
  /** Written by `remit sandbox start`, which removes it again: the process that serves it. */
  sandbox?: { pid: number; startedAt: string };
}

export interface Settings {
  defaultProfile?: string;
  profiles: Record<string, Profile>;
}

type Env = Readonly<Record<string, string | undefined>>;

export const settingsPath = (env: Env): string => join(configDir(env), 'config.json');

/** @throws Problem (config) when the file is broken, unreadable or not ours to trust */
export function readSettings(env: Env): Settings {
  const path = settingsPath(env);
  refuseOpenFolder(configDir(env));
  if (!existsSync(path)) return { profiles: {} };
  refuseOpenFile(path);
  const parsed = parse(path, readText(path));
  return {
    ...(typeof parsed.defaultProfile === 'string' ? { defaultProfile: parsed.defaultProfile } : {}),
    profiles: readProfiles(path, parsed.profiles),
  };
}

export function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\ufeff/, '');
  } catch (error) {
    throw configProblem(
      'config_unreadable',
      `${path} cannot be read`,
      `make it readable for you: chmod 600 ${path}`,
      { cause: error, file: path },
    );
  }
}

function parse(path: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Said below, together with a file that holds something else.
  }
  throw configProblem(
    'config_broken',
    `${path} is not a settings file any more: it is not a JSON object`,
    'mend it or move it away; it was left as it is',
    { file: path },
  );
}

function readProfiles(path: string, value: unknown): Record<string, Profile> {
  const profiles: Record<string, Profile> = {};
  for (const [name, profile] of Object.entries((value ?? {}) as Record<string, Partial<Profile>>)) {
    if (typeof profile?.baseUrl !== 'string' || typeof profile.key !== 'string') {
      throw configProblem(
        'config_broken',
        `profile "${name}" in ${path} has no base URL or no key`,
        `sign in again: remit login --profile ${name}`,
        { file: path },
      );
    }
    profiles[name] = {
      ...(profile as Profile),
      ...readLimits(profile, name, path),
      // What is not declared sandbox counts as production.
      environment: profile.environment === 'sandbox' ? 'sandbox' : 'production',
    };
  }
  return profiles;
}

/** Changes the settings in one atomic write that only this user can read. `now` is the machine's time. */
export async function changeSettings(
  { env, clock }: { env: Env; clock: Clock },
  change: (settings: Settings) => Settings,
): Promise<void> {
  openOwnFolder(configDir(env));
  await withLock(join(configDir(env), 'config.lock'), clock.now(), async () => {
    const before = readSettings(env);
    const { default: Conf } = await import('conf');
    const store = new Conf<Record<string, unknown>>({
      cwd: configDir(env),
      configName: 'config',
      configFileMode: 0o600,
      clearInvalidConfig: false,
      accessPropertiesByDotNotation: false,
    });
    store.store = { version: 1, ...change(before) };
  });
}
