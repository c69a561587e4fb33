/**
 * Where a profile's secret is kept: the operating system's keychain, else a file that only this user can read, and said so. Never in
 * argv, never in the settings.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../core/clock.ts';
import type { Env } from '../core/env.ts';
import { hint } from '../core/next.ts';
import { configProblem } from '../core/problem.ts';
import { replaceOwnFile } from '../disk/own-file.ts';
import { forgetInKeychain, type KeychainPlace, keepInKeychain, readInKeychain } from './keychain.ts';
import { withLock } from './lock.ts';
import { configDir } from './paths.ts';
import { readFileText } from './profiles.ts';
import { openOwnFolder, refuseOpenFile, refuseOpenFolder } from './trust.ts';

interface Where {
  env: Env;
  clock: Clock;
}
const inKeychain = (profile: string): KeychainPlace => ({ service: 'remit-cli', entry: profile });

export const secretsPath = (env: Env): string => join(configDir(env), 'secrets.json');

/** Where the secret is kept, in words and without the secret. */
export const whereKept = (env: Env, secretIn: 'keychain' | 'file' | 'environment'): string =>
  ({
    keychain: "the system's keychain",
    file: `${secretsPath(env)}, which only you can read`,
    environment: 'REMIT_API_SECRET, in the environment',
  })[secretIn];

/** Keeps the secret; answers where. `file` skips the keychain. */
export async function keepSecret(
  { env, clock }: Where,
  profile: string,
  secret: string,
  where: 'keychain' | 'file',
): Promise<'keychain' | 'file'> {
  if (where === 'keychain' && (await keepInKeychain(env, inKeychain(profile), secret))) return 'keychain';
  await changeSecrets({ env, clock }, (secrets) => ({ ...secrets, [profile]: secret }));
  return 'file';
}

export async function readSecret(env: Env, profile: string, where: 'keychain' | 'file'): Promise<string> {
  const secret =
    where === 'file' ? readSecrets(env)[profile] : await readInKeychain(env, inKeychain(profile));
  if (typeof secret === 'string' && secret !== '') return secret;
  throw configProblem(
    'secret_missing',
    `the secret of profile "${profile}" is not in the ${where} any more`,
    hint`sign in again: ${{ do: 'sign_in', profile }}`,
  );
}

export async function forgetSecret(
  { env, clock }: Where,
  profile: string,
  where: 'keychain' | 'file',
): Promise<void> {
  if (where === 'keychain') await forgetInKeychain(env, inKeychain(profile));
  if (existsSync(secretsPath(env))) await changeSecrets({ env, clock }, ({ [profile]: _, ...rest }) => rest);
}

function readSecrets(env: Env): Record<string, string> {
  const path = secretsPath(env);
  refuseOpenFolder(configDir(env));
  if (!existsSync(path)) return {};
  refuseOpenFile(path);
  try {
    return JSON.parse(readFileText(path)) as Record<string, string>;
  } catch (error) {
    if (error instanceof SyntaxError)
      throw configProblem(
        'secrets_broken',
        `${path} is not JSON any more`,
        'mend it or move it away, then sign in again',
        { file: path },
      );
    throw error;
  }
}

/** Two processes may change them at once: neither loses what the other kept. */
async function changeSecrets(
  { env, clock }: Where,
  change: (secrets: Record<string, string>) => Record<string, string>,
): Promise<void> {
  openOwnFolder(configDir(env));
  await withLock(join(configDir(env), 'secrets.lock'), clock.now(), async () =>
    replaceOwnFile(secretsPath(env), JSON.stringify(change(readSecrets(env)))),
  );
}
