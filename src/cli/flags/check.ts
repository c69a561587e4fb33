/** How far back the logs are read for a check. */
import type { When } from '../../desk/lists/period.ts';
import { type Flag, flagText, type Input } from './flag.ts';
import { readWhen } from './when.ts';

export const sinceFlag: Flag = {
  flags: '--since <date>',
  summary: 'read the logs from then on: a day, a time, or an age (3d); if you do not say, 7d',
};

/** @throws Problem (usage) */
export const readSince = (input: Input): When => readWhen(flagText(input, 'since') ?? '7d', 'since');
