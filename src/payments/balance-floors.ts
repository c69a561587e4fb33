/** How much there must be at least, and which currencies fall short. */

import type { Account } from '../contract/resources/account.ts';
import { money } from '../core/amount-words.ts';
import { type Decimal, gte, sub } from '../core/money.ts';
import type { DataOf } from '../frame/shape.ts';
import type { balanceCheckShape } from './shapes/service.ts';

export type Floors = ReadonlyMap<string, Decimal>;

/** A balance beside what it should be at least. */
export type Floor = DataOf<typeof balanceCheckShape>;

/** A currency that the account does not hold falls short by all of it. */
export function floorRows(floors: Floors, accounts: readonly Account[]): Floor[] {
  return [...floors].map(([currency, least]) => {
    const amount = accounts.find((account) => account.currency === currency)?.amount ?? null;
    const enough = amount !== null && gte(amount, least);
    return { currency, amount, at_least: least, short_by: enough ? '0' : sub(least, amount ?? '0'), enough };
  });
}

/** Names each currency that falls short, one a line, or says that there is enough. */
export function floorNotes(rows: readonly Floor[]): string[] {
  const short = rows.filter(({ enough }) => !enough);
  if (short.length === 0)
    return [
      `enough: ${rows.map((row) => `${money(row.amount, row.currency)} is there, ${money(row.at_least, row.currency)} is needed`).join(', ')}`,
    ];
  return short.map(({ currency, amount, at_least: least, short_by: by }) =>
    amount === null
      ? `not enough: the account holds no ${currency}, and ${money(least, currency)} is needed`
      : `not enough: ${money(amount, currency)} is there, ${money(least, currency)} is needed, ${money(by, currency)} is missing`,
  );
}
