/** A time as a flag has it. */

import { usage } from '../../../core/problem.ts';
import { flags, type Input } from '../../../frame/flags/flag.ts';
import { type When, whenOf } from '../../lists/period.ts';
import { type AskedPeriod, readMonth } from '../../lists/statement-period.ts';

export const dateFlags = flags({
  since: {
    value: 'date',
    summary: 'from then on: today, yesterday, monday, 2026-11-21, 2026-10, a time, or an age (2h, 3d)',
  },
  until: { value: 'date', summary: 'until then; a day or a month counts to its end' },
});

/** @throws Problem (usage) */
export function readWhen(text: string, flag: string): When {
  const when = whenOf(text);
  if (when !== undefined) return when;
  throw usage(
    `--${flag} ${text} is not a day, a month, a time or a duration`,
    'such as today, monday, 2026-11-21, 2026-10, 2026-11-21T09:00:00Z, 2h or 3d',
  );
}

/** The time that a statement or a summary is of. */
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

/** How far back the logs are read for a check. */
export const sinceFlag = flags({
  since: {
    value: 'date',
    summary: 'read the logs from then on: a day, a time, or an age (3d); if you do not say, 7d',
  },
});

/** @throws Problem (usage) */
export const readSince = (input: Input<typeof sinceFlag>): When =>
  readWhen(input.flags.since ?? '7d', 'since');
