/** Changes of a transaction's marks when it is kept again, and of the sums by day: the same in every store of books. */

import { isUuid } from '../core/ids.ts';
import { add, eq, isZero, sub } from '../core/money.ts';
import {
  type BookEntry,
  type Closing,
  type Find,
  ID_INDEXED,
  type Mark,
  type MarkKind,
  type Movement,
  type NewMark,
  type SeenBalance,
} from '../core/ports/books.ts';
import { StoreError } from '../files/store-error.ts';

export const DAY_MS = 86_400_000;
/** The number of the day in UTC, counted from 1970. */
export const dayOf = (at: number): number => Math.floor(at / DAY_MS);

/** Sums by currency and day, written once for many entries. */
export class Moved {
  readonly #sums = new Map<string, string>();

  note(currency: string, at: number, amount: string): void {
    const key = `${currency} ${dayOf(at)}`;
    this.#sums.set(key, add(this.#sums.get(key) ?? '0', amount));
  }

  /** In one order, so that of two who write them neither waits for the other in a circle. */
  sums(): { currency: string; day: number; amount: string }[] {
    return [...this.#sums].sort().map(([key, amount]) => {
      const at = key.lastIndexOf(' ');
      return { currency: key.slice(0, at), day: Number(key.slice(at + 1)), amount };
    });
  }
}

export interface MarkChanges {
  gone: Mark[];
  made: Mark[];
}

/** The months that are closed with this one: what corrects it is counted from when it was closed first. Undefined where it may not be. */
export function closingsWith(
  closings: readonly Closing[],
  closing: Closing,
  again: boolean,
): Closing[] | undefined {
  const before = closings.find(({ month }) => month === closing.month);
  if (before === undefined) return [...closings, closing];
  if (!again) return undefined;
  return closings.map((one) => (one === before ? { ...closing, knownUntil: before.knownUntil } : one));
}

export interface HowKept {
  moved: Moved;
  isNew: boolean;
  /** Until then the books knew everything, by the service's clock. */
  knownUntil: number | undefined;
  /** Movements before this are of a closed month, by the service's clock; 0 where none was closed. */
  closedUntil: number;
}

/** The end of the last month that is closed; 0 where none is. */
export const closedUntil = (closings: readonly Closing[]): number =>
  closings.reduce((latest, { to }) => Math.max(latest, to), 0);

/**
 * A mark keeps the time by which it was first known. What no longer moved a balance is taken back. A payment may stay as it is while its
 * payouts move, and then its last change is too early for them: what was not there when the books knew everything came later.
 *
 * A closed month stays as it was closed. A movement of it that the books learn of afterwards is dated when they did, and one that comes to
 * something else is left as it is: a correction makes up for it.
 */
export function markChanges(
  standing: readonly Mark[],
  marks: readonly NewMark[],
  { moved, isNew, knownUntil = 0, closedUntil: closed }: HowKept,
): MarkChanges {
  const changes: MarkChanges = { gone: [], made: [] };
  const make = (mark: Mark): void => {
    changes.made.push(mark);
    if (mark.amount !== undefined) moved.note(mark.currency, mark.at, mark.amount);
  };
  const takeBack = (mark: Mark): void => {
    changes.gone.push(mark);
    if (mark.amount !== undefined) moved.note(mark.currency, mark.at, sub('0', mark.amount));
  };
  const lateAt = Math.max(knownUntil, closed);
  const owed = new Owed(standing, closed);
  const left = new Map(standing.map((mark) => [keyOf(mark), mark]));
  for (const { kind, of, at: firstAt, laterAt, currency, amount } of marks) {
    const known = left.get(keyOf({ kind, of }));
    left.delete(keyOf({ kind, of }));
    if (known?.amount === amount && known?.currency === currency) continue;
    if (known !== undefined && isShut(known, closed)) {
      owed.note(of, known.currency, sub('0', known.amount));
      if (amount !== undefined) owed.note(of, currency, amount);
      continue;
    }
    const atLeast = kind === 'debit' ? 0 : knownUntil;
    const at = known?.at ?? (isNew ? firstAt : Math.max(laterAt, atLeast));
    if (known !== undefined) takeBack(known);
    make({ kind, of, at: amount !== undefined && at < closed ? lateAt : at, currency, amount });
  }
  for (const known of left.values()) {
    // A mark without an amount stays: a payout that failed once, or was paid, remains so.
    if (known.kind === 'correction' || known.amount === undefined) continue;
    if (isShut(known, closed)) owed.note(known.of, known.currency, sub('0', known.amount));
    else takeBack(known);
  }
  owed.settle(standing, lateAt, { make, takeBack });
  return changes;
}

type MovingMark = Mark & { amount: string };

/** A movement of a month that is closed. */
const isShut = (mark: Mark, closed: number): mark is MovingMark =>
  mark.amount !== undefined && mark.at < closed;
/** There may be several corrections of one payment. */
const keyOf = ({ kind, of, at }: Pick<Mark, 'kind' | 'of'> & { at?: number }): string =>
  kind === 'correction' ? `${kind} ${of} ${at}` : `${kind} ${of}`;

/** How much the movements of closed months are to be corrected by, less what was corrected in months that are closed since. */
class Owed {
  readonly #sums = new Map<string, { of: string; currency: string; amount: string }>();
  readonly #closed: number;

  constructor(standing: readonly Mark[], closed: number) {
    this.#closed = closed;
    for (const mark of standing)
      if (mark.kind === 'correction' && isShut(mark, closed))
        this.note(mark.of, mark.currency, sub('0', mark.amount));
  }

  note(of: string, currency: string, amount: string): void {
    const key = `${of} ${currency}`;
    this.#sums.set(key, { of, currency, amount: add(this.#sums.get(key)?.amount ?? '0', amount) });
  }

  /** A correction of a month that is open is made anew where it is not that amount any more. */
  settle(
    standing: readonly Mark[],
    lateAt: number,
    { make, takeBack }: Record<'make' | 'takeBack', (mark: Mark) => void>,
  ): void {
    const open = standing.filter((mark) => mark.kind === 'correction' && !isShut(mark, this.#closed));
    const stays = new Set<Mark>();
    for (const { of, currency, amount } of this.#sums.values()) {
      const known = open.find((one) => one.of === of && one.currency === currency);
      if (known !== undefined && eq(known.amount ?? '0', amount)) stays.add(known);
      else if (!isZero(amount)) make({ kind: 'correction', of, at: known?.at ?? lateAt, currency, amount });
    }
    for (const one of open) if (!stays.has(one)) takeBack(one);
  }
}

type Row = Record<string, unknown>;

export const markOf = ({ kind, of, at, currency, amount }: Row): Mark => ({
  kind: String(kind) as MarkKind,
  of: String(of),
  at: Number(at),
  currency: String(currency),
  amount: amount == null ? undefined : String(amount),
});

export const movementOf = (row: Row): Movement => ({
  ...markOf(row),
  amount: String(row.amount),
  seq: Number(row.seq),
  body: String(row.body),
});

export const balanceOf = (row: Row): SeenBalance => ({
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
  const last = latest && balanceOf(latest);
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
    .map(({ text }) => (text.length === UUID_LENGTH && isUuid(text) ? text.slice(0, ID_INDEXED) : text))
    .join('\n');

/** Whoever opened the books before somebody made them anew would put names where none are to be. @throws StoreError */
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
