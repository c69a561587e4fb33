/** How far back the logs are read for a check. */
import type { When } from '../../desk/lists/period.ts';
import { flags, type Input } from './flag.ts';
import { readWhen } from './when.ts';

export const sinceFlag = flags({
  since: {
    value: 'date',
    summary: 'read the logs from then on: a day, a time, or an age (3d); if you do not say, 7d',
  },
});

/** @throws Problem (usage) */
export const readSince = (input: Input<typeof sinceFlag>): When =>
  readWhen(input.flags.since ?? '7d', 'since');
