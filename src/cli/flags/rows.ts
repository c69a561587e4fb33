/** Rows of a pay run by their keys, with commas between. */
import { usage } from '../../core/problem.ts';
import { flags, type Input, type TextFlag } from './flag.ts';

export const rowsFlag = (summary: string) => flags({ rows: { value: 'keys', summary } });

/** Undefined where the flag is not there. @throws Problem (usage) where it names none */
export function readRows(input: Input<{ rows: TextFlag }>): string[] | undefined {
  const keys = input.flags.rows
    ?.split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');
  if (keys?.length === 0) throw usage('--rows names no row');
  return keys;
}
