/** A time as a flag has it. */
import { usage } from '../../core/problem.ts';
import { type When, whenOf } from '../../desk/lists/period.ts';
import { flags } from './flag.ts';

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
