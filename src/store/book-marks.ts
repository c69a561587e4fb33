/** What becomes of the marks of a transaction when it is kept again, and what that moves: the same in every store of books. */
import { add, sub } from '../core/money.ts';
import type { Mark, NewMark } from '../core/ports/books.ts';

export const DAY_MS = 86_400_000;
/** Of UTC, since 1970. */
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

/** A mark keeps the time by which it was first known. What no longer moved a balance is taken back. */
export function markChanges(
  standing: readonly Mark[],
  marks: readonly NewMark[],
  { moved, isNew }: { moved: Moved; isNew: boolean },
): MarkChanges {
  const changes: MarkChanges = { gone: [], made: [] };
  const left = new Map(standing.map((mark) => [`${mark.kind} ${mark.of}`, mark]));
  const takeBack = (mark: Mark): void => {
    changes.gone.push(mark);
    if (mark.amount !== undefined) moved.note(mark.currency, mark.at, sub('0', mark.amount));
  };
  for (const { kind, of, at: firstAt, laterAt, currency, amount } of marks) {
    const key = `${kind} ${of}`;
    const known = left.get(key);
    left.delete(key);
    if (known?.amount === amount && known?.currency === currency) continue;
    const at = known?.at ?? (isNew ? firstAt : laterAt);
    if (known !== undefined) takeBack(known);
    changes.made.push({ kind, of, at, currency, amount });
    if (amount !== undefined) moved.note(currency, at, amount);
  }
  // That a payout failed once, or was paid, stays true.
  for (const known of left.values()) if (known.amount !== undefined) takeBack(known);
  return changes;
}
