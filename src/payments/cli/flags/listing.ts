/** Flags that lists share. */

import { usage } from '../../../core/problem.ts';
import { readCurrencies } from '../../../frame/flags/currency.ts';
import { flags, type Input, type TextFlag } from '../../../frame/flags/flag.ts';
import type { Dates } from '../../lists/period.ts';
import { dateFlags, readWhen } from './when.ts';

export { dateFlags };

export const listFlags = flags({
  limit: {
    value: 'n',
    summary:
      'at most this many; if you do not say, a screenful in a table on a terminal, and everything elsewhere',
  },
  all: { summary: 'everything that matches' },
});
/** How many records the user asked for: no number is another wish than all. */
export interface AskedLimit {
  limit: number | undefined;
}

/** @throws Problem (usage) */
export function readLimits(input: Input<typeof listFlags>): AskedLimit {
  return input.flags.all ? { limit: Number.POSITIVE_INFINITY } : readListLimit(input);
}

/** Where there is no `--all`. @throws Problem (usage) */
export function readListLimit(input: Input<{ limit: TextFlag }>): AskedLimit {
  const given = input.flags.limit;
  if (given === undefined) return { limit: undefined };
  if (!/^[1-9]\d{0,6}$/.test(given)) throw usage(`--limit ${given} is not a number of records`);
  return { limit: Number(given) };
}

/**
 * Returns the dates as they were written; the reader of the list makes days and moments of them.
 * @throws Problem (usage)
 */
export function readDates(input: Input<typeof dateFlags>): Dates {
  const checked = (flag: 'since' | 'until'): string | undefined => {
    const text = input.flags[flag];
    if (text !== undefined) readWhen(text, flag);
    return text;
  };
  const from = checked('since');
  const to = checked('until');
  return { ...(from ? { created_at_from: from } : {}), ...(to ? { created_at_to: to } : {}) };
}

export interface Amounts {
  currency: string[];
  from: string | undefined;
  to: string | undefined;
}

export const amountFlags = flags({
  currency: { value: 'currency', summary: 'only paid from this input currency; repeat it', many: true },
  amountFrom: { value: 'amount', summary: 'at least this amount; needs --currency' },
  amountTo: { value: 'amount', summary: 'at most this amount; needs --currency' },
});

export function readAmountRange(input: Input<typeof amountFlags>): Amounts {
  const currency = readCurrencies(input);
  const from = input.flags.amountFrom;
  const to = input.flags.amountTo;
  if ((from ?? to) !== undefined && currency.length === 0) throw usage('an amount filter needs --currency');
  for (const amount of [from, to]) {
    if (amount !== undefined && !/^\d+(?:\.\d+)?$/.test(amount)) throw usage(`"${amount}" is not an amount`);
  }
  return { currency, from, to };
}

/** Where nothing was found: `--currency NGN` looks for what is paid in, and most people mean what arrives. */
export const paidInNote = (currency: readonly string[]): string | undefined =>
  currency.length === 0
    ? undefined
    : `--currency filters by the currency that is paid in, here ${currency.join(' or ')} (what arrives: --query "[?output_currency=='${currency[0]}']")`;
