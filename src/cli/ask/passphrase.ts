/** The passphrase of an approver's key: from the file that a variable names, or by prompt; never an argument, which others see. */
import { resolve } from 'node:path';
import { configProblem, usage } from '../../core/problem.ts';
import { readOwnFile } from '../../files/own-file.ts';
import type { Context } from '../context.ts';

const VARIABLE = 'REMIT_APPROVER_PASSPHRASE_FILE';
const LEAST = 12;

/** @throws Problem (usage, config), StoreError for a file that others can open */
export async function passphraseFor(context: Context, message: string): Promise<string> {
  const { env, cwd } = context.world;
  const file = env[VARIABLE];
  if (file) return inFile(resolve(cwd, file));
  if (!context.interactive)
    throw usage('the passphrase is missing', `without a terminal it is in a file that ${VARIABLE} names`);
  const { askSecret } = await import('../terminal/prompt.ts');
  return askSecret(context, message, { required: true });
}

function inFile(path: string): string {
  const text = readOwnFile(path)?.trim();
  if (text) return text;
  throw configProblem(
    'passphrase_missing',
    `there is no passphrase in ${path}`,
    `${VARIABLE} names the file`,
    {
      file: path,
    },
  );
}

/**
 * Returns the passphrase of a key that is about to be made: asked for twice, since nothing opens the key
 * without it.
 * @throws Problem (usage)
 */
export async function newPassphrase(context: Context): Promise<string> {
  const passphrase = await passphraseFor(context, 'Passphrase for the key, 12 characters or more');
  if (passphrase.length < LEAST)
    throw usage(
      `a passphrase has ${LEAST} characters or more, and this has ${passphrase.length}`,
      'whoever gets hold of the file can try as long as they like: take several words',
    );
  if (context.world.env[VARIABLE]) return passphrase;
  if ((await passphraseFor(context, 'The same again')) === passphrase) return passphrase;
  throw usage('the two passphrases differ', 'no key was made');
}
