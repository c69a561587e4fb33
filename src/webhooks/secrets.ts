/** The secrets that a listener accepts: the profile's, and others while they are being rotated. The first one signs. */

import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Other } from '../contract/signatures/explain-trials.ts';
import type { Finding, ReceivedRequest } from '../contract/signatures/finding.ts';
import type { Credentials } from '../contract/signed-text.ts';
import { Problem, usage } from '../core/problem.ts';
import { type Desk, note } from '../payments/desk.ts';
import { resolveConnection } from '../profiles/connection.ts';
import { readSettings } from '../profiles/profiles.ts';
import { keptTestKey } from './test-key.ts';

export async function acceptedSecrets(
  desk: Desk,
  { alsoProfiles, secretFile }: { alsoProfiles: readonly string[]; secretFile: string | undefined },
): Promise<Credentials[]> {
  const { credentials } = await desk.connection();
  const profiles = await Promise.all(
    alsoProfiles.map(async (profile) => (await resolveConnection(desk.machine.env, { profile })).credentials),
  );
  const fromFile = secretFile === undefined ? [] : await secretsIn(desk, secretFile);
  return [credentials, ...fromFile.map((secret) => ({ key: credentials.key, secret })), ...profiles];
}

async function secretsIn({ machine }: Desk, path: string): Promise<string[]> {
  const text = await readFile(resolve(machine.cwd, path), 'utf8');
  const secrets = text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
  if (secrets.length === 0) throw usage(`${path} has no secret`, 'one a line');
  return secrets;
}

/**
 * The keys and secrets of this machine, to find out whose a delivery was signed with. Each secret is used for
 * hashing alone: none is shown, and none is sent. Keys are in the settings, in the open; secrets are read
 * only where `withSecrets` says so.
 */
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
  const { readSecret } = await import('../profiles/secrets.ts');
  try {
    return await readSecret(desk.machine.env, name, secretIn);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    note(desk, `not tried: ${error.message}`);
    return undefined;
  }
}

/**
 * Finds why a delivery to a listener did not verify: against all secrets that are accepted here, and the keys
 * of the other profiles.
 */
export async function examinerFor(
  desk: Desk,
  secrets: readonly Credentials[],
  publicUrl: string | undefined,
): Promise<(request: ReceivedRequest) => Finding> {
  const { diagnose } = await import('../contract/signatures/diagnose.ts');
  const [credentials, ...accepted] = secrets as [Credentials, ...Credentials[]];
  const others = [
    ...accepted.map((one) => ({ name: 'another secret that is accepted here', ...one })),
    ...(await othersHere(desk, credentials, false)),
  ];
  const registered = publicUrl === undefined ? [] : [publicUrl];
  return (request) => diagnose(request, { credentials, others, registered });
}
