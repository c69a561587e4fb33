/** Rows of a pay run by their keys, with commas between. */
import { usage } from '../../core/problem.ts';
import { type Flag, flagText, type Input } from './flag.ts';

export const rowsFlag = (summary: string): Flag => ({ flags: '--rows <keys>', summary });

/** Undefined where the flag is not there. @throws Problem (usage) where it names none */
export function readRows(input: Input): string[] | undefined {
  const keys = flagText(input, 'rows')
    ?.split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');
  if (keys?.length === 0) throw usage('--rows names no row');
  return keys;
}
