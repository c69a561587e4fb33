/**
 * Months that were closed. Nothing is dated into one any more (`books/store/mark-changes`): what changes it afterwards is a movement of the
 * month in which it came, and says which month it corrects.
 */
import type * as z from 'zod/mini';
import type { Transaction } from '../contract/resources/transaction.ts';
import { counted, money } from '../core/amount-words.ts';
import { isoTime } from '../core/clock.ts';
import { add } from '../core/money.ts';
import { type Hint, hint } from '../core/next.ts';
import { wallTime } from '../core/zone.ts';
import type { DataOf } from '../frame/shape.ts';
import { DEBITED_WITHIN_MS } from './marks.ts';
import { movementPages } from './movements.ts';
import type { booksShape, correctionSum } from './shapes.ts';
import type { Books, MonthClosing, Movement } from './store/port.ts';

export type CorrectionSum = z.output<typeof correctionSum>;

/**
 * Returns the closed month that a movement corrects: the one in which its payment was created. A correction of a payment that is older than
 * any closed month is of the first one behind it, where it moved a balance.
 */
export function correctedMonth(
  closings: readonly MonthClosing[],
  { kind, at }: Pick<Movement, 'kind' | 'at'>,
  { created_at: created }: Pick<Transaction, 'created_at'>,
): string | null {
  const createdAt = Date.parse(created ?? '');
  // One that was created in the last hour may be debited in the next month: that is no correction.
  if (kind === 'debit' && at <= createdAt + DEBITED_WITHIN_MS) return null;
  const before = closings.filter(({ to, knownUntil }) => createdAt < to && at >= knownUntil);
  const own = before.find(({ from }) => createdAt >= from);
  if (own !== undefined || kind !== 'correction') return own?.month ?? null;
  return before.toSorted((a, b) => a.from - b.from)[0]?.month ?? null;
}

/** The sums by month and currency of what came within this time; `to` does not count. No closed month is read for it. */
export async function correctionsOf(
  books: Books,
  closings: readonly MonthClosing[],
  { from = 0, to = Number.MAX_SAFE_INTEGER }: { from?: number; to?: number } = {},
): Promise<CorrectionSum[]> {
  if (closings.length === 0) return [];
  const created = { from: 0, to: Math.max(...closings.map((one) => one.to)) };
  const since = Math.max(from, Math.min(...closings.map(({ knownUntil }) => knownUntil)));
  const sums = new Map<string, CorrectionSum>();
  for (const currency of new Set((await books.seenBalances()).map((one) => one.currency)))
    for await (const page of movementPages(books, { currency, from: since, to, created }))
      for (const movement of page) {
        const month = correctedMonth(closings, movement, JSON.parse(movement.body) as Transaction);
        if (month === null) continue;
        const sum = sums.get(`${month} ${currency}`) ?? { month, currency, movements: 0, amount: '0' };
        const amount = add(sum.amount, movement.amount);
        sums.set(`${month} ${currency}`, { ...sum, movements: sum.movements + 1, amount });
      }
  return [...sums.values()];
}

/** `2 movements correct 2026-10, which is closed: 300.00 EUR.`, a sentence for each month. */
export function correctionWords(sums: readonly CorrectionSum[]): Hint[] {
  return [...new Set(sums.map(({ month }) => month))].map((month) => {
    const own = sums.filter((one) => one.month === month);
    const movements = movementsIn(own);
    return hint`${counted(movements, 'movement')} ${movements === 1 ? 'corrects' : 'correct'} ${month}, which is closed: ${amountWords(own)}.`;
  });
}

/** How many there are of all currencies. */
export const movementsIn = (sums: readonly CorrectionSum[]): number =>
  sums.reduce((all, { movements }) => all + movements, 0);

/** `-300.00 EUR and 20.00 USD`. */
export const amountWords = (sums: readonly CorrectionSum[]): string =>
  sums.map(({ amount, currency }) => money(amount, currency)).join(' and ');

/** The months that are closed, as they are shown. */
export async function closedMonths(books: Books): Promise<DataOf<typeof booksShape>['closed']> {
  const closings = await books.closings();
  const sums = await correctionsOf(books, closings);
  return closings.map(({ month, zone, closedAt, manifest }) => ({
    ...{ month, zone, closed_at: isoTime(closedAt), manifest },
    corrections: sums.filter((one) => one.month === month),
  }));
}

/** `2026-10 was closed on 2026-11-02.`, with what came since, for each closed month of which a part is within this time. */
export async function closedNotes(
  books: Books,
  closings: readonly MonthClosing[],
  { from, to }: { from: number; to: number },
): Promise<Hint[]> {
  const within = closings.filter((one) => one.from < to && one.to > from);
  if (within.length === 0) return [];
  const sums = await correctionsOf(books, closings);
  return within.map(({ month, closedAt, zone, manifest }) => {
    const closed = `${month} was closed on ${wallTime(closedAt, zone).day}, with the manifest ${manifest.slice(0, 12)}.`;
    const own = sums.filter((one) => one.month === month);
    if (own.length === 0) return closed;
    const movements = movementsIn(own);
    return `${closed} ${counted(movements, 'movement')} of its payments came since, ${amountWords(own)}: ${movements === 1 ? 'it stands' : 'they stand'} in the month in which ${movements === 1 ? 'it' : 'they'} came.`;
  });
}
