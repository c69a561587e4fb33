/** The date of a row of a ledger: a day, or a moment that is put into the zone. */
import { isDay } from '../../core/zone.ts';
import { dayCount } from './days.ts';

/** How days are written that do not begin with the year. */
export const DAY_ORDERS = ['dmy', 'mdy'] as const;
export type DayOrder = (typeof DAY_ORDERS)[number];

type ReadDay = { day: number; at?: number } | { fault: string };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** `20261031`, as in a French FEC. */
const TOGETHER = /^(\d{4})(\d{2})(\d{2})$/;
const WALL = /^(\d{4}-\d{2}-\d{2})[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/;
const OTHER = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/;

export function readDay(text: string, order: DayOrder | undefined, dayOf: (at: number) => number): ReadDay {
  if (DAY.test(text)) return named(text);
  if (TOGETHER.test(text)) return named(text.replace(TOGETHER, '$1-$2-$3'));
  const [, wallDay] = WALL.exec(text) ?? [];
  if (wallDay !== undefined) return named(wallDay);
  if (MOMENT.test(text)) {
    const at = Date.parse(text.replace(' ', 'T'));
    return Number.isNaN(at) || !isDay(text.slice(0, 10)) ? NONE : { day: dayOf(at), at };
  }
  const other = OTHER.exec(text);
  if (other === null) return NONE;
  // Points are written between day and month alone; a slash is ambiguous.
  const known = order ?? (text.includes('.') ? 'dmy' : undefined);
  if (known === undefined) return { fault: 'date may begin with the day or with the month' };
  const [, one = '', two = '', year = ''] = other;
  const [day, month] = known === 'dmy' ? [one, two] : [two, one];
  return named(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`);
}

const NONE = { fault: 'date is not a date' };
const named = (day: string): ReadDay => (isDay(day) ? { day: dayCount(day) } : NONE);
