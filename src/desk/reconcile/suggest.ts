/**
 * Pairs that a person may accept: a row of the ledger and one of a bank's statement that stand alone, of the same amount and currency with few
 * days between, where the bank's words have the reference of the ledger in them (`Invoice INV-1`, `PAY/INV-1`). They are never matched by
 * themselves: another payment may be named in the same words. The time grows with the words and no faster.
 */
import { groupedBy } from '../../core/grouped-by.ts';
import type { Fate, Matched } from './fates.ts';

/** References have a digit, and so many letters and digits; a shorter one stands in too many sentences. */
const LEAST = 4;
/** A reference is cut into no more words than these by its own slashes, dashes and blanks. */
const MOST_WORDS = 5;

/** Tells each row of a pair of the other one. @param days so many may lie between the two dates */
export function suggestPairs({ left, right }: Matched, days: number): void {
  if (right.side.kind !== 'statement') return;
  const byPlace = groupedBy(left.fates, (one) => {
    const reference = bare(one.row.reference);
    const isTold = one.ending !== 'only_in_ledger' || reference.length < LEAST || !/\d/.test(reference);
    return isTold ? undefined : placeOf(one, reference);
  });
  if (byPlace.size === 0) return;
  const pairs: [Fate, Fate][] = [];
  for (const other of right.fates) {
    if (other.ending !== 'only_in_statement') continue;
    for (const one of rowsNamedBy(other, byPlace)) if (isNear(one, other, days)) pairs.push([one, other]);
  }
  // Where a row could go with two, nobody can tell which: nothing is suggested for it.
  const rows = groupedBy(pairs, ([one]) => one);
  const others = groupedBy(pairs, ([, other]) => other);
  for (const [one, other] of pairs)
    if (rows.get(one)?.length === 1 && others.get(other)?.length === 1) {
      one.perhaps = other;
      other.perhaps = one;
    }
}

/** Rows whose reference stands in the words of this one, with its amount. */
function rowsNamedBy(other: Fate, byPlace: ReadonlyMap<string, Fate[]>): Set<Fate> {
  const words = other.row.reference.match(/[\p{L}\p{N}]+/gu) ?? [];
  const found = new Set<Fate>();
  for (let from = 0; from < words.length; from++)
    for (let to = from + 1; to <= Math.min(words.length, from + MOST_WORDS); to++)
      for (const one of byPlace.get(placeOf(other, bare(words.slice(from, to).join('')))) ?? [])
        found.add(one);
  return found;
}

const placeOf = ({ row }: Fate, reference: string): string => `${row.currency} ${row.amount} ${reference}`;

const isNear = ({ row: { day: mine } }: Fate, { row: { day: theirs } }: Fate, days: number): boolean =>
  mine !== undefined && theirs !== undefined && Math.abs(mine - theirs) <= days;

const bare = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '').toUpperCase();
