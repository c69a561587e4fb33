/**
 * The keys and secrets of this machine, to find out whose a delivery was signed with. Each secret is used for hashing alone:
 * none is shown, and none is sent.
 */

import type { Other } from '../../contract/signatures/explain-trials.ts';
import type { Credentials } from '../../contract/signed-text.ts';
import { Problem } from '../../core/problem.ts';
import { readSettings } from '../../profiles/profiles.ts';
import { type Desk, note } from '../desk.ts';
import { keptTestKey } from './test-key.ts';

/** Keys are in the settings, in the open; secrets are read only where `withSecrets` says so. */
export async function othersHere(
  desk: Desk,
  used: Credentials | undefined,
  withSecrets: boolean,
): Promise<Other[]> {
  const { env } = desk.machine;
  const others: Other[] = [];
  const test = keptTestKey(env);
  if (test) others.push({ name: 'the test key of this machine', ...test });
  for (const [name, { key, secretIn }] of Object.entries(readSettings(env).profiles)) {
    const secret = withSecrets ? await secretOf(desk, name, secretIn) : undefined;
    others.push({ name: `profile ${name}`, key, secret });
  }
  return others.filter(
    ({ key, secret }) => key !== used?.key || (secret !== undefined && secret !== used.secret),
  );
}

/** A profile whose secret is gone takes nothing from the search but itself, and is named. */
async function secretOf(
  desk: Desk,
  name: string,
  secretIn: 'keychain' | 'file',
): Promise<string | undefined> {
  const { readSecret } = await import('../../profiles/secrets.ts');
  try {
    return await readSecret(desk.machine.env, name, secretIn);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    note(desk, `not tried: ${error.message}`);
    return undefined;
  }
}
