/** Sums by day, rows and texts of the books. */

import { isUuid } from '../../core/ids.ts';
import { add, sub } from '../../core/money.ts';
import { StoreError } from '../../disk/store-error.ts';
import { type Find, ID_INDEXED } from '../../payments/finds.ts';
import type { BookEntry, Books, Mark, MarkKind, Movement, SeenBalance } from './port.ts';

export const DAY_MS = 86_400_000;
/** The number of the day in UTC, counted from 1970. */
export const dayNumber = (at: number): number => Math.floor(at / DAY_MS);

/** Sums by currency and day, written once for many entries. */
export class Moved {
  readonly #sums = new Map<string, string>();

  note(currency: string, at: number, amount: string): void {
    const key = `${currency} ${dayNumber(at)}`;
    this.#sums.set(key, add(this.#sums.get(key) ?? '0', amount));
  }

  sums(): { currency: string; day: number; amount: string }[] {
    return [...this.#sums].map(([key, amount]) => {
      const at = key.lastIndexOf(' ');
      return { currency: key.slice(0, at), day: Number(key.slice(at + 1)), amount };
    });
  }
}

type Row = Record<string, unknown>;

export const rowMark = ({ kind, of, at, currency, amount }: Row): Mark => ({
  kind: String(kind) as MarkKind,
  of: String(of),
  at: Number(at),
  currency: String(currency),
  amount: amount == null ? undefined : String(amount),
});

export const rowMovement = (row: Row): Movement => ({
  ...rowMark(row),
  amount: String(row.amount),
  seq: Number(row.seq),
  body: String(row.body),
});

export const rowBalance = (row: Row): SeenBalance => ({
  currency: String(row.currency),
  firstAt: Number(row.first_at),
  lastAt: Number(row.last_at),
  amount: String(row.amount),
  unexplained: String(row.unexplained),
});

/**
 * The row that is kept of a balance that was seen, by its currency and `firstAt`: one row as long as the unexplained
 * part stays the same, so that a balance that is looked at each minute takes no room. Undefined where another sync
 * looked later.
 *
 * @param latest the row of the currency that was kept last
 * @param moved all that the books know to have moved it
 */
export function seenBalance(
  latest: Row | undefined,
  { at, currency, amount, moved }: { at: number; currency: string; amount: string; moved: string },
): SeenBalance | undefined {
  const last = latest && rowBalance(latest);
  if (last !== undefined && last.lastAt > at) return undefined;
  const unexplained = sub(amount, moved);
  return {
    currency,
    firstAt: last?.unexplained === unexplained ? last.firstAt : at,
    lastAt: at,
    amount,
    unexplained,
  };
}

/** The texts that an entry is found by, as one text: each of them on a line. */
const UUID_LENGTH = 36;

/** An id is found by its beginning: its other digits would be half of the index, and as much of the time to write it. */
export const foundBy = (finds: readonly Find[]): string =>
  finds
    .map(({ text }) => `${text.length === UUID_LENGTH && isUuid(text) ? text.slice(0, ID_INDEXED) : text}\n`)
    .join('');

/** A process that opened the books before they were remade would put names where none are to be. @throws StoreError */
export function refuseOtherwiseHidden(
  entries: readonly BookEntry[],
  hiddenBy: string | undefined,
  where: string,
): void {
  if (entries.every((entry) => entry.hiddenBy === hiddenBy)) return;
  const detail =
    hiddenBy === undefined
      ? 'the books have names now'
      : 'the books are kept without names, or with another key';
  throw new StoreError('remade', where, detail, { holds: 'books' });
}

/** The part of the books that is about marks, balances and closed months. */
export type MarkBooks = Pick<
  Books,
  | 'marks'
  | 'movements'
  | 'movedBefore'
  | 'closings'
  | 'closeMonth'
  | 'seeBalances'
  | 'seenBalances'
  | 'keepRates'
  | 'rates'
>;
