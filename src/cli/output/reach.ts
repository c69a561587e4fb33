/** The words about how far back a log was read. */
import { isoTime } from '../../core/clock.ts';
import type { Reach } from '../../desk/golive/read-logs.ts';
import { counted } from '../../desk/words/amount.ts';

export const reachNotes = (reach: readonly Reach[], since: number): string[] =>
  reach.map((one) => `the log of ${one.log} ${reachWords(one, minute(isoTime(since)))}`);

function reachWords({ records, from, whole, isCut }: Reach, since: string): string {
  const read = counted(records, 'record');
  if (whole) return `was read since ${since}: ${read}`;
  if (from === null) return `has nothing since ${since}`;
  if (isCut)
    return `has more than is read at once: the newest ${read}, back to ${minute(from)}; a later --since reads it whole`;
  return `reaches back to ${minute(from)}, and was asked for since ${since}: ${read}`;
}

const minute = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`;
