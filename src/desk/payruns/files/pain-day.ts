/** The day on which a pain.001 asks to be paid. A run pays when somebody runs it, so a later day is refused unless that is meant. */
import { said } from '../../../core/next.ts';
import { isDay, wallTime } from '../../../core/zone.ts';
import type { ReadOptions } from './formats.ts';
import { xmlProblem } from './xml.ts';
import type { Spot } from './xml-text.ts';

/** A date of XML may name a zone. */
const DATE = /^(\d{4}-\d{2}-\d{2})(?:Z|[+-]\d{2}:\d{2})?$/;
const MOMENT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(?:\.\d+)?(Z|[+-]\d{2}:\d{2})?$/;

/** A moment with an offset is a day of the zone; undefined for what is neither day nor moment. */
export function dayAsked(text: string, zone: string): string | undefined {
  const [, day = MOMENT.exec(text)?.[1]] = DATE.exec(text) ?? [];
  if (day === undefined || !isDay(day)) return undefined;
  if (!text.includes('T')) return day;
  const at = Date.parse(text);
  if (Number.isNaN(at)) return undefined;
  return MOMENT.exec(text)?.[2] === undefined ? day : wallTime(at, zone).day;
}

/** @throws Problem where the day is none, or later than today */
export function checkDay(
  text: string,
  at: Spot,
  { name, clock, payNow, note }: Pick<ReadOptions, 'name' | 'clock' | 'payNow' | 'note'>,
): void {
  const day = dayAsked(text, clock.zone);
  if (day === undefined)
    throw xmlProblem('execution_day', name, at, 'has a day that is none (ReqdExctnDt)', 'such as 2026-10-31');
  const today = wallTime(clock.now, clock.zone).day;
  if (day <= today) return;
  if (!payNow)
    throw xmlProblem(
      'later_day',
      name,
      at,
      `asks to be paid on ${day} (ReqdExctnDt), and today is ${today}`,
      said`a run pays when it is run: plan it on that day, or pay it before with ${{ give: 'pay_now' }}`,
    );
  note?.('the file asks for a later day (ReqdExctnDt), and will be paid when its run is run');
}
