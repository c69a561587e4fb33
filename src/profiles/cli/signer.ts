/** Tells which key of this machine signs. */

import { resolve } from 'node:path';
import type { Env } from '../../core/env.ts';
import { configProblem, notFound, usage } from '../../core/problem.ts';
import { readOwnFile } from '../../disk/own-file.ts';
import type { Context } from '../../payments/cli/context.ts';
import type { Signer } from '../approver-key.ts';
import { type OwnApprover, ownApprovers, privateKeyOf } from '../approver-store.ts';

/** The one that is named, or the only one. @throws Problem (not found, usage) */
export function chooseApprover(env: Env, name: string | undefined): OwnApprover {
  const [only, ...others] = ownApprovers(env).filter((one) => name === undefined || one.name === name);
  if (only === undefined)
    throw notFound(
      `there is no approver ${name === undefined ? '' : `"${name}" `}on this machine`,
      'remit approver list says which there are; remit approver create NAME makes one',
    );
  if (others.length > 0)
    throw usage(
      `there are several approvers on this machine: ${[only, ...others].map((one) => one.name).join(', ')}`,
      'say who you are, such as --as grace with remit batch approve',
    );
  return only;
}

/** Undefined where this machine has no key, and none is named. Its passphrase is asked for when something is signed. */
export function signerOf(context: Context, name: string | undefined): Signer | undefined {
  const { env } = context.process;
  if (name === undefined && ownApprovers(env).length === 0) return undefined;
  const chosen = chooseApprover(env, name);
  const ask = () => passphraseFor(context, `Passphrase for the key of ${chosen.name}`);
  return { name: chosen.name, key: chosen.key, privateKey: () => privateKeyOf(env, chosen.name, ask) };
}

const VARIABLE = 'REMIT_APPROVER_PASSPHRASE_FILE';
const LEAST = 12;

/**
 * The passphrase of an approver's key: from the file that a variable names, or by prompt; never an argument,
 * which others see.
 * @throws Problem (usage, config), StoreError for a file that others can open
 */
async function passphraseFor(context: Context, message: string): Promise<string> {
  const { env, cwd } = context.process;
  const file = env[VARIABLE];
  if (file) return inFile(resolve(cwd, file));
  if (!context.interactive)
    throw usage('the passphrase is missing', `without a terminal it is in a file that ${VARIABLE} names`);
  const { askSecret } = await import('../../frame/terminal/prompt.ts');
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
  if (context.process.env[VARIABLE]) return passphrase;
  if ((await passphraseFor(context, 'The same again')) === passphrase) return passphrase;
  throw usage('the two passphrases differ', 'no key was made');
}
