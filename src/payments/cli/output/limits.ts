/**
 * How many records of a list are read (docs/rules.md 7): a screenful in a table on a terminal, every one anywhere else, and
 * what `--limit` or `--all` says.
 */

import { isScreen } from '../../../frame/terminal/rendering.ts';
import type { Limits } from '../../lists/list-reader.ts';
import type { Context } from '../context.ts';
import type { AskedLimit } from '../flags/listing.ts';

/** Where the terminal does not say how high it is. */
const SCREENFUL = 20;
const LEAST = 10;
/** The heading, the lines below the table, and the command that was typed. */
const AROUND = 5;
/** On a terminal a filter of ours stops here: twenty requests, and it says how to go on. */
const BOUND = 2_000;

export function limitsOf(
  { process, globals }: Pick<Context, 'process' | 'globals'>,
  { limit }: AskedLimit,
): Limits {
  if (!isScreen(process, globals)) return { limit: limit ?? Number.POSITIVE_INFINITY };
  if (limit === Number.POSITIVE_INFINITY) return { limit };
  return { limit: limit ?? screenful(process.streams.rows), bound: BOUND };
}

const screenful = (rows: number | undefined): number =>
  rows === undefined ? SCREENFUL : Math.max(LEAST, rows - AROUND);
