/** The time that a statement or a summary is of. */
import { usage } from '../../core/problem.ts';
import { type AskedPeriod, readMonth } from '../../desk/statement/period.ts';
import { flags, type Input } from './flag.ts';
import { dateFlags, readWhen } from './when.ts';

export const periodFlags = flags({
  month: { value: 'month', summary: 'such as 2026-10; this month if you say no time' },
  ...dateFlags,
});

/** @throws Problem (usage) */
export function readPeriod(input: Input<typeof periodFlags>): AskedPeriod {
  const when = (flag: 'since' | 'until') => {
    const text = input.flags[flag];
    return text === undefined ? undefined : readWhen(text, flag);
  };
  const month = input.flags.month;
  const asked = {
    month: month === undefined ? undefined : readMonth(month),
    since: when('since'),
    until: when('until'),
  };
  if (month !== undefined && (asked.since ?? asked.until) !== undefined)
    throw usage('--month names the whole time', 'leave --since and --until out');
  return asked;
}
