/** A key and its secret to check a signature with, which need not be those of a profile. */
import type { Credentials } from '../../../contract/signed-text.ts';
import { Problem, usage } from '../../../core/problem.ts';
import { flags, type Input } from '../../../frame/flags/flag.ts';
import { readTextFile } from '../../../frame/flags/text-file.ts';
import type { Context } from '../../../payments/cli/context.ts';
import { keptTestKey } from '../../test-key.ts';

/** Tells which key and secret a delivery or a request is checked with: those named by flags, the test key, or the profile's. */
export type CheckWith =
  | { with: 'profile' }
  | { with: 'test key' }
  | { with: 'key'; key: string; secretFile: string | undefined; secretEnv: string | undefined };

export const checkFlags = flags({
  testKey: { summary: 'check with the test key that remit webhooks sign and send use' },
  key: { value: 'key', summary: 'check with this key, without a profile' },
  secretFile: { value: 'path', summary: 'the secret of --key, from a file' },
  secretEnv: { value: 'name', summary: 'the secret of --key, from this environment variable' },
});

/** @throws Problem (usage) */
export function readCheckWith(input: Input<typeof checkFlags>): CheckWith {
  const key = input.flags.key;
  const secretFile = input.flags.secretFile;
  const secretEnv = input.flags.secretEnv;
  const sources = [secretFile, secretEnv].filter((source) => source !== undefined).length;
  if (input.flags.testKey) {
    if (key !== undefined || sources > 0) throw usage('--test-key and --key exclude each other');
    return { with: 'test key' };
  }
  if (key === undefined && sources === 0) return { with: 'profile' };
  if (key === undefined) throw usage('--key is missing: a secret goes with a key');
  if (sources !== 1)
    throw usage(
      'the secret of --key is given once',
      '--secret-file FILE, or --secret-env NAME: never as an argument',
    );
  return { with: 'key', key, secretFile, secretEnv };
}

/** Undefined where there is nothing to check with: no profile, or no test key yet. */
export async function credentialsOf(context: Context, choice: CheckWith): Promise<Credentials | undefined> {
  if (choice.with === 'test key') return keptTestKey(context.process.env);
  if (choice.with === 'key') return { key: choice.key, secret: await givenSecret(context, choice) };
  try {
    return (await context.connection()).credentials;
  } catch (error) {
    if (error instanceof Problem && error.facts.code === 'no_profile') return undefined;
    throw error;
  }
}

async function givenSecret(
  { process }: Context,
  { secretFile, secretEnv = '' }: Extract<CheckWith, { with: 'key' }>,
): Promise<string> {
  const text = secretFile === undefined ? process.env[secretEnv] : await readTextFile(process, secretFile);
  // A line end at the end of a file is the editor's.
  const secret = text?.replace(/\r?\n$/, '') ?? '';
  if (secret === '')
    throw usage(
      secretFile === undefined ? `the variable ${secretEnv} is empty or not set` : `${secretFile} is empty`,
    );
  return secret;
}
