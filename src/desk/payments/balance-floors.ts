/** `--min GHS=50000,NGN=1000000`: how much there must be at least, and which currencies fall short. */

import type { Floor } from '../../cli/views/account.ts';
import type { Account } from '../../contract/resources/account.ts';
import { decimalsOf } from '../../core/currency.ts';
import { type Decimal, gte, parseAmount, sub } from '../../core/money.ts';
import { usage } from '../../core/problem.ts';
import { money } from '../words/amount.ts';

export type Floors = ReadonlyMap<string, Decimal>;

const CODE = /^[A-Z]{3}(?:::.+)?$/;

/** @throws Failure (usage) naming the entry that is wrong */
export function readFloors(text: string): Floors {
  const floors = new Map<string, Decimal>();
  for (const entry of text.split(',')) {
    const [code = '', amount, ...rest] = entry.split('=').map((part) => part.trim());
    const currency = code.toUpperCase();
    if (!CODE.test(currency) || !amount || rest.length > 0)
      throw usage(
        `--min: "${entry.trim()}" is not a currency with an amount`,
        'such as --min GHS=50000,NGN=1000000',
      );
    if (floors.has(currency)) throw usage(`--min has ${currency} twice`);
    floors.set(currency, parseAmount(amount, decimalsOf(currency), currency));
  }
  return floors;
}

/** A currency that the account does not hold falls short by all of it. */
export function floorRows(floors: Floors, accounts: readonly Account[]): Floor[] {
  return [...floors].map(([currency, least]) => {
    const amount = accounts.find((account) => account.currency === currency)?.amount ?? null;
    const enough = amount !== null && gte(amount, least);
    return { currency, amount, at_least: least, short_by: enough ? '0' : sub(least, amount ?? '0'), enough };
  });
}

/** One line for each that falls short, or one that says that there is enough. */
export function floorNotes(rows: readonly Floor[]): string[] {
  const short = rows.filter(({ enough }) => !enough);
  if (short.length === 0)
    return [
      `enough: ${rows.map((row) => `${money(row.amount, row.currency)} of at least ${money(row.at_least, row.currency)}`).join(', ')}`,
    ];
  return short.map(({ currency, amount, at_least: least, short_by: by }) =>
    amount === null
      ? `not enough: the account holds no ${currency}, and should hold at least ${money(least, currency)}`
      : `not enough: ${money(amount, currency)} of at least ${money(least, currency)}, ${money(by, currency)} short`,
  );
}
