/** The secrets that a listener accepts: the profile's, and others while they are being rotated. The first one signs. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Context } from '../../cli/context.ts';
import type { Credentials } from '../../contract/signing.ts';
import { usage } from '../../core/problem.ts';
import { resolveConnection } from '../../profiles/connection.ts';

export async function acceptedSecrets(
  context: Context,
  { alsoProfiles, secretFile }: { alsoProfiles: readonly string[]; secretFile: string | undefined },
): Promise<Credentials[]> {
  const { credentials } = await context.connection();
  const profiles = await Promise.all(
    alsoProfiles.map(
      async (profile) => (await resolveConnection(context.world.env, { profile })).credentials,
    ),
  );
  const fromFile = secretFile === undefined ? [] : await secretsIn(context, secretFile);
  return [credentials, ...fromFile.map((secret) => ({ key: credentials.key, secret })), ...profiles];
}

async function secretsIn({ world }: Context, path: string): Promise<string[]> {
  const text = await readFile(resolve(world.cwd, path), 'utf8');
  const secrets = text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '');
  if (secrets.length === 0) throw usage(`${path} has no secret`, 'one a line');
  return secrets;
}
