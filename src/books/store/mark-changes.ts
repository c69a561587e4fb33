/**
 * Changes of a transaction's marks when it is kept again, and what a closed month makes of them (decision 0060).
 */
import { add, eq, isZero, sub } from '../../core/money.ts';
import type { Moved } from './book-marks.ts';
import type { Mark, MonthClosing, NewMark } from './port.ts';

export interface MarkChanges {
  gone: Mark[];
  made: Mark[];
}

/** The months that are closed with this one: what corrects it is counted from when it was closed first. Undefined where it may not be. */
export function closingsWith(
  closings: readonly MonthClosing[],
  closing: MonthClosing,
  again: boolean,
): MonthClosing[] | undefined {
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
export const closedUntil = (closings: readonly MonthClosing[]): number =>
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
  const told = standing.filter(({ kind }) => kind !== 'correction');
  const left = new Map(told.map((mark) => [keyOf(mark), mark]));
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
    if (known.amount === undefined) continue;
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
const keyOf = ({ kind, of }: Pick<Mark, 'kind' | 'of'>): string => `${kind} ${of}`;

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
