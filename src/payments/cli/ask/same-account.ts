/** A new key is of the same account as the one that a profile has, or of another. */

import { keyLast4 } from '../../../core/account.ts';
import { isLoopback } from '../../../core/hosts.ts';
import { type Hint, hint } from '../../../core/next.ts';
import { configProblem, usage } from '../../../core/problem.ts';
import { connectionOf } from '../../../profiles/connection.ts';
import type { Profile } from '../../../profiles/schema.ts';
import type { Context } from '../context.ts';

/** A sandbox on this machine has a new key each time, and keeps nothing of before. @throws Problem (usage) without a user to ask */
export async function askSameAccount(context: Context, before: Profile): Promise<boolean> {
  if (isLoopback(new URL(before.baseUrl).hostname)) return false;
  const words = `the profile has another key for this URL (…${keyLast4(before.key)})`;
  if (!context.interactive)
    throw usage(
      `${words}, and payments that it left unknown may be this account's`,
      '--same-account where the new key takes its place, --another-account where it does not',
    );
  context.say(`${words}.`);
  const { askChoice } = await import('../../../frame/terminal/prompt.ts');
  const answer = await askChoice(context, 'Is the new key of the same account?', [
    { value: 'same', label: 'the same account: the new key takes the place of the old one', bare: true },
    { value: 'another', label: 'another account', bare: true },
  ]);
  return answer === 'same';
}

export interface Joining {
  words: string;
  name: string;
  before: Profile;
  profile: Profile;
  secret: string;
}

/**
 * Joins the accounts, and returns the lines that are said about it. If the process dies before the journal
 * has the join, nothing is changed. If it dies after that, and before the profile has the new key, the old
 * one is still in use, and one account with the new one: the same command goes on.
 * @throws Problem where it is another account, or cannot be asked
 */
export async function joinAccounts(
  context: Context,
  { words, name, before, profile, secret }: Joining,
): Promise<Hint[]> {
  const account = connectionOf(name, profile, { secret });
  const theirs = context.another(account, { words });
  try {
    if (profile.key === before.key)
      throw usage('this is the key that the profile has', 'for another secret, sign in again: remit login');
    const [{ joinKeys }, client, { intents }] = await Promise.all([
      import('../../../client/join-keys.ts'),
      theirs.client(),
      context.store(),
    ]);
    const keys = { baseUrl: account.baseUrl, before: before.key, key: profile.key, at: context.clock.now() };
    const joined = await joinKeys(client, intents, keys);
    if (joined.kind === 'other_account')
      throw configProblem(
        'other_account',
        `the new key is of another account: it does not find transaction ${joined.transactionId}, which the old key (…${keyLast4(before.key)}) made`,
        'nothing was changed; for another account take another name for its profile',
      );
    const both = `key …${keyLast4(profile.key)} takes the place of …${keyLast4(before.key)}`;
    return [
      joined.kind === 'proven'
        ? `${both}: it reads what that key made, so what that key left unknown is settled with it`
        : `${both}, by your word: there is nothing that this key could read to show it. What that key left unknown is only looked for, and never sent`,
      hint`books and inbox are kept by key: ${{ do: 'sync_books' }} fills those of the new one`,
    ];
  } finally {
    await theirs.close();
  }
}
