/** A time as a flag has it. */
import { usage } from '../../core/problem.ts';
import { type When, whenOf } from '../../desk/lists/period.ts';

/** @throws Problem (usage) */
export function readWhen(text: string, flag: string): When {
  const when = whenOf(text);
  if (when !== undefined) return when;
  throw usage(
    `--${flag} ${text} is neither a day, a time nor a duration`,
    'such as 2026-11-21, 2026-11-21T09:00:00Z, 2h or 3d',
  );
}
