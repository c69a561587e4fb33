/** A balance at the end of each day of a time: from the books, without the service. */
import type { Books } from '../../core/ports/books.ts';
import { dayAfter, startOfDay, wallTime } from '../../core/zone.ts';
import type { Period } from './period.ts';
import { balanceAt } from './statement.ts';

export interface DayEnd {
  /** Such as 2026-10-31, in the zone that was given. */
  day: string;
  /** Null where nobody had seen the balance by then. */
  balance: string | null;
  /** False for the day that the books do not know to its end. */
  isOver: boolean;
}

/** The days that the books reach, oldest first. @param of `knownUntil`: by the service's clock */
export async function dayEnds(
  books: Books,
  { currency, from, to, knownUntil }: Period & { currency: string; knownUntil: number },
  zone: string,
): Promise<DayEnd[]> {
  const seen = (await books.seenBalances()).filter((one) => one.currency === currency);
  const [first] = seen;
  const ends: DayEnd[] = [];
  for (let { day } = wallTime(from, zone); ; day = dayAfter(day, 1)) {
    const begins = startOfDay(day, zone);
    if (first === undefined || begins >= to || begins > knownUntil) return ends;
    const end = Math.min(startOfDay(dayAfter(day, 1), zone), to);
    const balance = first.firstAt > end ? null : await balanceAt(books, seen, end);
    ends.push({ day, balance, isOver: end <= knownUntil });
  }
}
