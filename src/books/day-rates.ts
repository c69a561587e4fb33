/** The mid-market rates of the days that the books saw. */
import { type DayRates, isoDay } from '../payments/cost.ts';
import type { Books } from './store/port.ts';

export async function dayRates(books: Books, { from, to }: { from: number; to: number }): Promise<DayRates> {
  const mids = new Map<string, string>();
  const read = async (first: string, last: string): Promise<void> => {
    for (const one of await books.rates(first, last)) mids.set(`${one.day} ${one.from} ${one.to}`, one.mid);
  };
  let reached = isoDay(Math.max(0, from));
  await read(reached, isoDay(to));
  return {
    reach(day) {
      if (day >= reached) return undefined;
      const last = reached;
      reached = day;
      return read(day, last);
    },
    mid: (day, paid, got) => mids.get(`${day} ${paid} ${got}`),
  };
}
