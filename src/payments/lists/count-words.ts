/** How much of a list is shown, in words, and how to get the rest. */

import { thousands } from '../../core/amount-words.ts';
import { type Hint, hint } from '../../core/next.ts';
import { isComplete, type ListProgress } from './list-reader.ts';

/** The two ways to the rest. */
const MORE = hint`${{ give: 'limit', value: '100' }} shows more, ${{ give: 'all' }} shows every one`;

/**
 * Undefined where the list itself says everything.
 * @param what the records in the plural: `transactions`
 * @param sifted some were left out by a filter that the service does not have
 */
export function countWords(looked: ListProgress, what: string, sifted: boolean): Hint | undefined {
  if (sifted) return siftedWords(looked, what);
  if (isComplete(looked)) return undefined;
  const { found, total } = looked;
  return total === undefined
    ? hint`The first ${thousands(found)} ${what}; there may be more. ${MORE}.`
    : hint`${thousands(found)} of ${thousands(total)} ${what}. ${MORE}.`;
}

/** `deliveries` are many of a `delivery`. */
const oneOf = (what: string): string => what.replace(/(?:ies|s)$/, (end) => (end === 's' ? '' : 'y'));

function siftedWords(looked: ListProgress, what: string): Hint {
  const { rows, found, total, ended } = looked;
  const searched = `${thousands(rows)} ${rows === 1 ? oneOf(what) : what}`;
  if (isComplete(looked) && found === rows && rows > 0)
    return rows === 1 ? `The one ${oneOf(what)} searched matches.` : `All ${searched} searched match.`;
  if (isComplete(looked))
    return found === 0
      ? `No match among the ${searched} searched.`
      : `${thousands(found)} of the ${searched} searched ${found === 1 ? 'matches' : 'match'}.`;
  const far =
    total !== undefined && total > rows
      ? `first ${thousands(rows)} of ${thousands(total)}`
      : `first ${thousands(rows)}`;
  if (ended === 'limit')
    return hint`${thousands(found)} ${found === 1 ? 'match' : 'matches'} among the ${far} ${what}. ${MORE}.`;
  return hint`${found === 0 ? 'No match' : found === 1 ? 'One match' : `${thousands(found)} matches`} among the ${far} ${what}. ${{ give: 'all' }} searches every one.`;
}
