/** How often a long read may call the service. */
import { usage } from '../../../core/problem.ts';
import { flags, type Input } from '../../../frame/flags/flag.ts';
import { PER_MINUTE } from '../../sync.ts';

export const perMinuteFlags = flags({
  perMinute: {
    value: 'calls',
    summary: `calls a minute at most (${PER_MINUTE}; on a sandbox as many as it takes)`,
  },
});

/** @throws Problem (usage) */
export function readPerMinute(input: Input<typeof perMinuteFlags>): number | undefined {
  const given = input.flags.perMinute;
  if (given === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(given))
    throw usage(`"${given}" is no number of calls`, 'such as --per-minute 60');
  return Number(given);
}
