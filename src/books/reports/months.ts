/** The months of reports, which are those of UTC. */
import type { Desk } from '../../payments/desk.ts';
import { serviceNow } from '../../payments/service-time.ts';

/** A report that is taken too early may lack the rest of the month. */
export const isMonthOver = async (desk: Desk, month: string): Promise<boolean> =>
  month < monthAt(await serviceNow(desk));

/** `2026-10`. */
export const monthAt = (at: number): string => new Date(at).toISOString().slice(0, 7);

/** Every month from the one of the first moment to the one of the last. */
export function monthsOf(from: number, last: number): string[] {
  const months: string[] = [];
  const date = new Date(from);
  for (let at = Date.UTC(date.getUTCFullYear(), date.getUTCMonth()); at <= last; ) {
    months.push(monthAt(at));
    const month = new Date(at);
    at = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1);
  }
  return months;
}
