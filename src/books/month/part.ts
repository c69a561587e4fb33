/** A part of a month in words: a table of figures, with what proves and explains it. A page shows it as it is. */
import { isoTime } from '../../core/clock.ts';
import type { Hint, Next } from '../../core/next.ts';
import { wallTime } from '../../core/zone.ts';
import type { Desk } from '../../payments/desk.ts';
import { periodOf, readMonth } from '../../payments/lists/statement-period.ts';
import type { MonthPart } from '../../payments/shapes/told.ts';
import { spoken } from '../../payments/words/questions.ts';
import { reachOf } from '../reach.ts';
import type { Books } from '../store/port.ts';

export interface Part extends MonthPart {
  notes: Hint[];
  command: Next | null;
}

export const EMPTY: Omit<Part, 'title'> = {
  proved: null,
  proof: [],
  plot: null,
  heads: [],
  rows: [],
  none: '',
  folded: null,
  notes: [],
  command: null,
  syncedAt: null,
};

export const seenAmount = (currency: string | null, amount: string | null): string =>
  amount === null ? 'not seen' : spoken(amount, currency);
export const inWords = (name: string): string => name.replaceAll('_', ' ');

/** Milliseconds by the service's clock. The month in which the books end is the one that is shown where none is named, as in the terminal. */
export async function timeOf({ zone }: Desk, books: Books, asked: string | null) {
  const { known, completeAt } = await reachOf(books);
  const name = asked === null ? wallTime(known, zone).day.slice(0, 7) : readMonth(asked);
  const period = periodOf({ month: name, since: undefined, until: undefined }, { now: known, zone });
  return { ...period, name, known, syncedAt: isoTime(completeAt) };
}

export type MonthTime = Awaited<ReturnType<typeof timeOf>>;
