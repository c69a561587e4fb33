/** The last question before money moves, or before something is cancelled: it names the thing, the amount and the account. */

import type { Recipient } from '../../contract/resources/transaction.ts';
import { grouped, money } from '../../core/amount-words.ts';
import { byWord } from '../../core/by-word.ts';
import { type MaskLevel, maskData, maskValue } from './mask.ts';
import { fullName } from './person.ts';

export type AccountWord = 'LIVE' | 'sandbox';

/** `on the LIVE account`. */
export const onAccount = (account: AccountWord): string =>
  account === 'LIVE' ? 'on the LIVE account' : 'on the sandbox';

/** `12,345.60 EUR`: for a sentence, never to be read back. */
export function spoken(amount: string | null | undefined, currency: string | null | undefined): string {
  const text = money(amount, currency) ?? 'an unknown amount';
  return text.replace(/\d+/, grouped);
}

export const payQuestion =
  (amount: string | null | undefined, currency: string | null | undefined) =>
  (account: AccountWord): string =>
    `Pay ${spoken(amount, currency)} from the ${account} balance?`;

/** `Cancel 99,999 NGN to Ada Obi, on the sandbox?`. */
export function cancelQuestion(recipients: readonly Recipient[], request: boolean, mask: MaskLevel) {
  const [only] = recipients;
  const what =
    only && recipients.length === 1
      ? `${spoken(only.output_amount, only.output_currency)} to ${nameOf(only, mask)}`
      : `the ${recipients.length} payouts above`;
  return (account: AccountWord): string =>
    request
      ? `Ask the provider to cancel ${what}, ${onAccount(account)}?`
      : `Cancel ${what}, ${onAccount(account)}?`;
}

const nameOf = ({ payout_method: method, id }: Recipient, mask: MaskLevel): string =>
  fullName(maskData(method?.details, mask, 'details')) || (id ?? 'the recipient');

/** The most changes that the question names; of more it says how many. Each is listed above it. */
const MOST_NAMED = 2;

/** `Change where 99,999 NGN goes: account ••••6719 to ••••6700?`. What was typed stands above it whole. */
export function redirectQuestion(
  what: string,
  before: Readonly<Record<string, unknown>>,
  changes: Readonly<Record<string, unknown>>,
) {
  const each = Object.entries(changes).map(([name, value]) => {
    const was = before[name];
    const from =
      was === null || was === undefined || was === '' ? 'none' : maskValue(name, String(was), 'accounts');
    return `${plain(name)} ${from} to ${maskValue(name, String(value ?? ''), 'accounts')}`;
  });
  const named = each.length > MOST_NAMED ? `the ${each.length} details above` : each.join(', ');
  return (account: AccountWord): string => `Change where ${what}, ${onAccount(account)}: ${named}?`;
}

const SHORT: Readonly<Record<string, string>> = byWord({
  bank_account: 'account',
  bank_code: 'bank',
  iban: 'IBAN',
});

const plain = (name: string): string => SHORT[name] ?? name.replaceAll('_', ' ');
