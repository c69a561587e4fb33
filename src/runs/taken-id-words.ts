/** Words for the payment that stands in the place of a row: without an account number and without a name. */
import { byWord } from '../core/by-word.ts';
import { idAfter } from '../payments/next-id.ts';

/** Returns the name that a member has in a file of payments. */
export function columnOf(path: string): string {
  const name = path.split('.').at(-1) ?? path;
  return COLUMNS[name] ?? name;
}

const COLUMNS: Readonly<Record<string, string>> = byWord({
  base: 'the payment',
  main_error: 'the payment',
  payout_method: 'the payout method',
  requested_amount: 'amount',
  requested_currency: 'currency',
});

export const conflictWords = (differences: readonly string[]): string =>
  `another transaction has this external id; it differs in ${membersOf(differences)}`;

export const membersOf = (differences: readonly string[]): string => differences.map(columnOf).join(', ');

export const unfundedWords = 'a transaction with this external id was created, and is not funded';

/** @param how what became of the payment: `refunded` */
export const endedWords = (how: string): string =>
  `its external id names a payment that was ${how}, for ever: nobody is paid under it any more`;

export const nextIdWords = (externalId: string): string =>
  `give it another one, such as ${idAfter(externalId)}`;
