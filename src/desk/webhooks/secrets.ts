/** The secrets that a listener accepts: the profile's, and others while they are being rotated. The first one signs. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Credentials } from '../../contract/signed-text.ts';
import { usage } from '../../core/problem.ts';
import { resolveConnection } from '../../profiles/connection.ts';
import type { Desk } from '../desk.ts';

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
