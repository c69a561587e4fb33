/**
 * Finds the secret that signs a delivery made by hand. A signature has no time in it and can be used for
 * ever, so a real secret is used only on request, and in production only with a person at the terminal.
 */

import type { Credentials } from '../../../../contract/signed-text.ts';
import { keyLast4 } from '../../../../core/account.ts';
import { interrupted, usage } from '../../../../core/problem.ts';
import { flags } from '../../../../frame/flags/flag.ts';
import { liveNames } from '../../../../payments/cli/ask/stance.ts';
import type { Context } from '../../../../payments/cli/context.ts';
import { byName } from '../../../../payments/confirmation.ts';
import { accountLine } from '../../../../payments/gate.ts';
import { testKey, testKeyPath } from '../../../test-key.ts';

export const asProfileFlag = flags({
  asProfile: { summary: 'sign with the profile’s key and secret; in production also --live, and it asks' },
});

export interface SignedWith {
  credentials: Credentials;
  /** A test key's signature is worth nothing to anybody. */
  real: boolean;
}

/** Says on stderr whose key it is. `what` says what the signature is for. */
export async function signingKey(context: Context, asProfile: boolean, what: string): Promise<SignedWith> {
  if (asProfile) return { credentials: await profileKey(context, what), real: true };
  const credentials = await testKey(context.process);
  context.say(
    `test key …${keyLast4(credentials.key)}, in ${testKeyPath(context.process.env)}`,
    context.paint.dim,
  );
  context.say(`  ${what}`);
  return { credentials, real: false };
}

async function profileKey(context: Context, what: string): Promise<Credentials> {
  const connection = await context.connection();
  context.say(accountLine(connection), context.paint.dim);
  context.say(`  ${what}`);
  if (connection.environment === 'sandbox') return connection.credentials;
  const names = liveNames(connection);
  if (context.globals.live === undefined || !names.includes(context.globals.live))
    throw usage(
      'this signs with a production secret, and --live does not name it',
      `if you mean it: add --live=${names[0]}; for a test leave out --as-profile`,
    );
  if (!context.interactive)
    throw usage(
      'this signs with a production secret, and nobody can be asked without a terminal',
      'on a terminal it asks; for a test leave out --as-profile, and the test key signs',
    );
  const confirm = byName(names[0] ?? connection.name);
  const question = { about: 'proceed', said: 'Sign it with the production secret?', confirm } as const;
  if (!(await context.confirmer.confirm(question))) throw interrupted();
  return connection.credentials;
}
