/**
 * The key that deliveries made here are signed with, unless another is asked for: made once on this machine, and good for
 * nothing but a handler that is configured with it. It is in a file that only this user can read.
 */

import { existsSync, linkSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Credentials } from '../contract/signed-text.ts';
import type { Env } from '../core/env.ts';
import { configProblem } from '../core/problem.ts';
import type { Desk } from '../payments/desk.ts';
import { configDir } from '../profiles/paths.ts';
import { readFileText } from '../profiles/profiles.ts';
import { openOwnFolder, refuseOpenFile, refuseOpenFolder } from '../profiles/trust.ts';

export const testKeyPath = (env: Env): string => join(configDir(env), 'webhook-test-key.json');

/** Undefined where none was made yet. @throws Problem (config) where the file is broken or open to others */
export function keptTestKey(env: Env): Credentials | undefined {
  const path = testKeyPath(env);
  refuseOpenFolder(configDir(env));
  if (!existsSync(path)) return undefined;
  refuseOpenFile(path);
  const { key, secret } = parse(path);
  if (typeof key === 'string' && typeof secret === 'string' && key !== '' && secret !== '')
    return { key, secret };
  throw broken(path);
}

function parse(path: string): Partial<Record<string, unknown>> {
  try {
    return JSON.parse(readFileText(path)) ?? {};
  } catch (error) {
    if (error instanceof SyntaxError) throw broken(path);
    throw error;
  }
}

const broken = (path: string) =>
  configProblem('test_key_broken', `${path} is not a test key any more`, 'remove it, and a new one is made');

/** The secret comes from the system's source, not from a seed: the handler that gets it may stand in the open. */
export async function testKey({ env, pid }: Pick<Desk['machine'], 'env' | 'pid'>): Promise<Credentials> {
  const kept = keptTestKey(env);
  if (kept) return kept;
  const { randomBytes } = await import('node:crypto');
  const made = {
    key: `remit_test_${randomBytes(6).toString('hex')}`,
    secret: randomBytes(32).toString('base64url'),
  };
  const path = testKeyPath(env);
  openOwnFolder(configDir(env));
  const fresh = `${path}.${pid}`;
  rmSync(fresh, { force: true });
  writeFileSync(fresh, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  // Where another process made one meanwhile, that one counts: a handler may have it already.
  try {
    linkSync(fresh, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(fresh, { force: true });
  }
  return keptTestKey(env) ?? made;
}
