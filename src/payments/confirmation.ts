/**
 * A confirmation is the word that a person types in production before something is sent (decision 0025): the
 * end of the account, the total, or a name. A `y` is typed before the question is read; these have to be read
 * first. Whatever is typed is on the screen already.
 */

import type { Recipient } from '../contract/resources/transaction.ts';
import { type Decimal, eq, sum, toDecimal } from '../core/money.ts';
import { lastFour, MASK } from './words/mask.ts';
import { accountIn } from './words/person.ts';
import { spoken } from './words/questions.ts';

export interface Confirmation {
  by: 'account' | 'total' | 'name';
  /** The text to type, in the form in which it is shown: `6789`, `1,234.50 EUR and 20.00 USD`, `customer-1`. */
  shown: string;
  /** A longer name, which is right as well. */
  also?: string | undefined;
}

export interface ShownAmount {
  amount?: string | null | undefined;
  currency?: string | null | undefined;
}

type Details = Readonly<Record<string, unknown>> | null | undefined;

export const byName = (shown: string, also?: string | null): Confirmation => ({
  by: 'name',
  shown,
  also: also ?? undefined,
});

/** The sum in each currency, in the order in which they come. `otherwise` where an amount is not known. */
export function byTotal(amounts: readonly ShownAmount[], otherwise: Confirmation): Confirmation {
  const totals = new Map<string, Decimal[]>();
  for (const { amount, currency } of amounts) {
    if (amount == null || currency == null) return otherwise;
    totals.set(currency, [...(totals.get(currency) ?? []), amount]);
  }
  if (totals.size === 0) return otherwise;
  const shown = [...totals].map(([currency, each]) => spoken(sum(each), currency));
  return { by: 'total', shown: shown.join(' and ') };
}

/** The last four of the account. `otherwise` where it has none that may be shown: a short account shows nothing. */
export function byAccount(details: Details, otherwise: Confirmation): Confirmation {
  const shown = lastFour(accountIn(details) ?? '').replaceAll(MASK, '');
  return shown === '' ? otherwise : { by: 'account', shown };
}

/** One recipient by the account, several by their total. */
export function byRecipients(
  recipients: readonly Details[],
  amounts: readonly ShownAmount[],
  otherwise: Confirmation,
): Confirmation {
  const total = byTotal(amounts, otherwise);
  return recipients.length === 1 ? byAccount(recipients[0], total) : total;
}

/** The same of payouts that exist. */
export const byPayouts = (payouts: readonly Recipient[], amounts?: readonly ShownAmount[]): Confirmation =>
  byRecipients(
    payouts.map(({ payout_method }) => payout_method?.details),
    amounts ?? payouts.map(({ output_amount: amount, output_currency: currency }) => ({ amount, currency })),
    byName(`${payouts.length} payouts`),
  );

/** `Type the last four of the account (6789):`. */
export const asksToType = ({ by, shown }: Confirmation): string =>
  `Type ${{ account: 'the last four of the account', total: 'the total', name: 'the name' }[by]} (${shown}):`;

/** Blanks and capitals do not count; in a total neither do the marks between thousands, nor its currency. */
export function isConfirmed(confirmation: Confirmation, typed: string): boolean {
  const { by, shown, also } = confirmation;
  if (by !== 'total') return [shown, also].some((name) => name !== undefined && plain(name) === plain(typed));
  const [wanted, given] = [amountsIn(shown), amountsIn(typed)];
  return (
    given !== undefined &&
    wanted?.length === given.length &&
    wanted.every(({ amount, currency }, index) => {
      const other = given[index];
      return (
        other !== undefined &&
        eq(amount, other.amount) &&
        (other.currency === undefined || other.currency === currency)
      );
    })
  );
}

const plain = (text: string): string => text.replace(/\s+/g, '').toLowerCase();

/** `1,234.50 EUR and 20 USD`. Undefined where it is anything else: a part of an amount is no amount. */
function amountsIn(text: string): { amount: Decimal; currency: string | undefined }[] | undefined {
  const found: { amount: Decimal; currency: string | undefined }[] = [];
  for (const part of text.split(/\band\b|;/i)) {
    const [, digits = '', currency] =
      /^\s*(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\s*([a-z]{3,5})?\s*$/i.exec(part) ?? [];
    const amount = toDecimal(digits.replaceAll(',', ''));
    if (digits === '' || amount === null) return undefined;
    found.push({ amount, currency: currency?.toUpperCase() });
  }
  return found;
}
