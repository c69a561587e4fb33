/**
 * Pairs that a person may accept: a row of the ledger and one of a bank's statement that stand alone, of the same amount and currency with few
 * days between, where the bank's words have the reference of the ledger in them (`Invoice INV-1`, `PAY/INV-1`). They are never matched by
 * themselves: another payment may be named in the same words. The time grows with the words and no faster.
 */
import type { Matched, Perhaps } from './fates.ts';
import { NO_DAY } from './side.ts';

const NONE: Perhaps = { right: new Map(), left: new Map() };

/** References have a digit, and so many letters and digits; a shorter one stands in too many sentences. */
const LEAST = 4;
/** A reference is cut into no more words than these by its own slashes, dashes and blanks. */
const MOST_WORDS = 5;

/** @param days so many may lie between the two dates */
export function suggestionsOf({ left, right }: Matched, days: number): Perhaps {
  if (right.side.kind !== 'statement') return NONE;
  const byPlace = new Map<string, number[]>();
  for (let row = 0; row < left.side.count; row++) {
    const reference = bare(left.side.reference.get(row));
    if (left.of(row) !== 'only_in_ledger' || reference.length < LEAST || !/\d/.test(reference)) continue;
    add(byPlace, placeOf(left, row, reference), row);
  }
  if (byPlace.size === 0) return NONE;
  const pairs: [number, number][] = [];
  for (let other = 0; other < right.side.count; other++) {
    if (right.of(other) !== 'only_in_statement') continue;
    for (const row of rowsNamedBy({ left, right }, other, byPlace))
      if (isNear({ left, right }, row, other, days)) pairs.push([row, other]);
  }
  return alone(pairs);
}

/** Rows whose reference stands in the words of this one, with its amount. */
function rowsNamedBy({ right }: Matched, other: number, byPlace: ReadonlyMap<string, number[]>): Set<number> {
  const words = right.side.reference.get(other).match(/[\p{L}\p{N}]+/gu) ?? [];
  const found = new Set<number>();
  for (let from = 0; from < words.length; from++)
    for (let to = from + 1; to <= Math.min(words.length, from + MOST_WORDS); to++)
      for (const row of byPlace.get(placeOf(right, other, bare(words.slice(from, to).join('')))) ?? [])
        found.add(row);
  return found;
}

/** Where a row could go with two, nobody can tell which: nothing is suggested for it. */
function alone(pairs: readonly [number, number][]): Perhaps {
  const [rows, others] = [new Map<number, number>(), new Map<number, number>()];
  for (const [row, other] of pairs) {
    rows.set(row, (rows.get(row) ?? 0) + 1);
    others.set(other, (others.get(other) ?? 0) + 1);
  }
  const only = pairs.filter(([row, other]) => rows.get(row) === 1 && others.get(other) === 1);
  return { right: new Map(only), left: new Map(only.map(([row, other]) => [other, row])) };
}

const placeOf = ({ side }: Matched['left'], row: number, reference: string): string =>
  `${side.currencyOf(row)} ${side.amount[row]} ${reference}`;

const isNear = ({ left, right }: Matched, row: number, other: number, days: number): boolean => {
  const [mine, theirs] = [left.side.day[row] ?? NO_DAY, right.side.day[other] ?? NO_DAY];
  return mine !== NO_DAY && theirs !== NO_DAY && Math.abs(mine - theirs) <= days;
};

const bare = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '').toUpperCase();

function add(places: Map<string, number[]>, place: string, row: number): void {
  const rows = places.get(place);
  if (rows === undefined) places.set(place, [row]);
  else rows.push(row);
}
