/**
 * Profiles on disk (decision 0023): where the service is, which environment it is, which key. Secrets are kept apart (secrets.ts).
 * A file that is broken or unreadable is never overwritten: the command ends with 78 and says so.
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../core/clock.ts';
import type { Env } from '../core/env.ts';
import { hint } from '../core/next.ts';
import { configProblem, type Problem } from '../core/problem.ts';
import { withLock } from './lock.ts';
import { configDir } from './paths.ts';
import { FAULTS, type Settings, settingsSchema } from './schema.ts';
import { openOwnFolder, refuseOpenFile, refuseOpenFolder } from './trust.ts';

export const settingsPath = (env: Env): string => join(configDir(env), 'config.json');

/** @throws Problem (config) when the file is broken, unreadable or not ours to trust */
export function readSettings(env: Env): Settings {
  const path = settingsPath(env);
  refuseOpenFolder(configDir(env));
  if (!existsSync(path)) return { profiles: {} };
  refuseOpenFile(path);
  return settingsIn(path, () => JSON.parse(readFileText(path)));
}

export function readFileText(path: string): string {
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

/** @throws Problem (config) where it is no settings file, or a profile in it cannot be used */
function settingsIn(path: string, read: () => unknown): Settings {
  let given: unknown;
  try {
    given = read();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const checked = settingsSchema.safeParse(given);
  if (!checked.success) throw broken(path, checked.error.issues[0]?.path ?? []);
  const { defaultProfile, ...settings } = checked.data;
  return defaultProfile ? { ...settings, defaultProfile } : settings;
}

function broken(path: string, [top, name, member]: readonly PropertyKey[]): Problem {
  if (top === 'mappings' && name !== undefined)
    return configProblem(
      'config_broken',
      `the mapping "${String(name)}" in ${path} cannot be read`,
      'mend it, or take it out of the file; it was left as it is',
      { file: path },
    );
  if (top !== 'profiles' || name === undefined)
    return configProblem(
      'config_broken',
      `${path} is not a settings file any more: it is not a JSON object`,
      'mend it or move it away; it was left as it is',
      { file: path },
    );
  const profile = String(name);
  const fault = FAULTS[String(member)];
  if (fault !== undefined)
    return configProblem(
      'config_broken',
      `${String(member)} of profile "${profile}" in ${path} ${fault}`,
      hint`say it again: ${{ do: 'change_profile', profile, setting: 'NAME', value: 'VALUE' }}`,
      { file: path },
    );
  const isMissing = member === undefined || member === 'baseUrl' || member === 'key';
  return configProblem(
    'config_broken',
    isMissing
      ? `profile "${profile}" in ${path} has no base URL or no key`
      : `${String(member)} of profile "${profile}" in ${path} cannot be read`,
    hint`sign in again: ${{ do: 'sign_in', profile }}`,
    { file: path },
  );
}

/** Changes the settings in one atomic write that only this user can read. `now` is the machine's time. */
export async function changeSettings(
  { env, clock }: { env: Env; clock: Clock },
  change: (settings: Settings) => Settings,
): Promise<void> {
  openOwnFolder(configDir(env));
  await withLock(join(configDir(env), 'config.lock'), clock.now(), async () => {
    // Read by ourselves: conf writes as it opens a file that holds no object, and loading it costs every start 12 ms.
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
