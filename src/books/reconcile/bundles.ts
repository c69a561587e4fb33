/**
 * Bundles: rows of one side whose amounts come to one row of the other side, exactly. Names do not help here, so a bundle counts only where no
 * other answer exists for any of its rows; the search is bounded, and reports what it could not finish.
 */

import type { Fate } from './fates.ts';

export interface BundleRule {
  /** The greatest number of rows in a bundle. */
  rows: number;
  /** The greatest number of days between the one row and each of the others. */
  days: number;
}

export interface Bundle {
  one: Fate;
  many: readonly Fate[];
}

export interface Bundles {
  /** Each row is in one of these at most. */
  sure: readonly Bundle[];
  /** Two answers for a row: the first two that were found. */
  ambiguous: ReadonlyMap<Fate, Pair>;
  /** Rows whose search was not finished: bundles that may share a row with theirs are not suggested. */
  unfinished: readonly Fate[];
}

/** Steps for one row, and for all rows of a run: some seconds at most. */
const MOST_STEPS = 100_000;
const MOST_STEPS_IN_ALL = 10_000_000;

/** @param lefts rows that stand alone on one side, each with a day. @param rights the same of the other side */
export function bundlesOf(
  lefts: readonly Fate[],
  rights: readonly Fate[],
  rule: BundleRule,
  { each = MOST_STEPS, all = MOST_STEPS_IN_ALL } = {},
): Bundles {
  const answers = new Map<string, Bundle>();
  const names = new Map([...lefts, ...rights].map((one, i) => [one, i]));
  const nameOf = (rows: readonly Fate[]): string =>
    rows
      .map((row) => names.get(row) ?? 0)
      .sort((a, b) => a - b)
      .join(' ');
  /** Rows that may be in an answer that was not found, and two answers that were seen there. */
  const doubts = new Map<Fate, Pair | undefined>();
  const unfinished: Fate[] = [];
  let left = all;
  for (const [ones, others] of [
    [rights, lefts],
    [lefts, rights],
  ] as const) {
    const places = placesOf(others);
    for (const one of ones) {
      const pool = left > 0 ? poolOf(one, places, rule.days) : others;
      const limits = { most: rule.rows, steps: Math.min(each, left) };
      const found = left > 0 ? sumsTo(sizeOf(one), pool.map(sizeOf), limits) : NOT_SOUGHT;
      left = Math.max(0, left - found.steps - COST_OF_POOL * pool.length);
      const bundles = found.answers.map((at) => ({ one, many: at.flatMap((place) => pool[place] ?? []) }));
      for (const bundle of bundles) answers.set(nameOf(rowsOf(bundle)), bundle);
      if (found.isFinished) continue;
      const pair = pairOf(bundles);
      if (pair === undefined) unfinished.push(one);
      for (const row of [one, ...pool]) doubts.set(row, pair ?? doubts.get(row));
      if (found === NOT_SOUGHT) return { sure: [], ambiguous: new Map(), unfinished: [...rights, ...lefts] };
    }
  }
  return { ...judged([...answers.values()], doubts), unfinished };
}

type Pair = readonly [Bundle, Bundle];
/** To take and to sort a row costs as much as so many steps. */
const COST_OF_POOL = 4;
const NOT_SOUGHT: Sums = { answers: [], steps: 0, isFinished: false };

/** An answer of two rows is one by the amount alone: it is not suggested, and makes every other answer doubtful. */
function judged(
  answers: readonly Bundle[],
  doubts: ReadonlyMap<Fate, Pair | undefined>,
): Omit<Bundles, 'unfinished'> {
  const ofRow = new Map<Fate, Bundle[]>();
  for (const answer of answers)
    for (const row of rowsOf(answer)) ofRow.set(row, [...(ofRow.get(row) ?? []).slice(0, 1), answer]);
  const sure: Bundle[] = [];
  const ambiguous = new Map<Fate, Pair>();
  for (const answer of answers) {
    const rows = rowsOf(answer);
    const pairs = rows.flatMap((row) => pairOf(ofRow.get(row)) ?? doubts.get(row) ?? []);
    const isClear = pairs.length === 0 && !rows.some((row) => doubts.has(row));
    if (isClear && answer.many.length > 1) sure.push(answer);
    for (const row of rows) {
      const pair = pairOf(ofRow.get(row)) ?? doubts.get(row) ?? pairOf(pairs);
      if (pair?.some(({ many }) => many.length > 1)) ambiguous.set(row, pair);
    }
  }
  return { sure, ambiguous };
}

const pairOf = ([first, second]: readonly Bundle[] = []): Pair | undefined =>
  first && second ? [first, second] : undefined;

export const rowsOf = ({ one, many }: Bundle): Fate[] => [one, ...many];

const sizeOf = ({ row: { amount } }: Fate): bigint => (amount < 0n ? -amount : amount);
const dayOf = ({ row }: Fate): number => row.day ?? 0;
const placeOf = ({ row }: Fate): string => `${row.currency} ${row.amount < 0n ? 'in' : 'out'}`;

/** Rows of one currency and direction, by day. */
function placesOf(rows: readonly Fate[]): Map<string, Fate[]> {
  const places = new Map<string, Fate[]>();
  for (const one of rows) {
    if (one.row.amount === 0n || one.row.day === undefined) continue;
    const place = places.get(placeOf(one));
    if (place === undefined) places.set(placeOf(one), [one]);
    else place.push(one);
  }
  for (const place of places.values()) place.sort((a, b) => dayOf(a) - dayOf(b));
  return places;
}

/** The rows of the other side that may be in the bundle of this one, the greatest first. */
function poolOf(one: Fate, places: ReadonlyMap<string, readonly Fate[]>, days: number): Fate[] {
  const place = places.get(placeOf(one)) ?? [];
  if (one.row.amount === 0n || one.row.day === undefined) return [];
  let [from, to] = [0, place.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const at = place[middle];
    if (at !== undefined && dayOf(at) < dayOf(one) - days) from = middle + 1;
    else to = middle;
  }
  const pool: Fate[] = [];
  for (let i = from; i < place.length; i++) {
    const other = place[i];
    if (other === undefined || dayOf(other) > dayOf(one) + days) break;
    if (sizeOf(other) <= sizeOf(one)) pool.push(other);
  }
  return pool.sort((a, b) => Number(sizeOf(b) - sizeOf(a)));
}

/** Two are enough to make it ambiguous; with all of them it is known which rows they leave alone. */
const MOST_ANSWERS = 100;

interface Sums {
  /** The places of the amounts in each answer. */
  answers: number[][];
  steps: number;
  /** False where there may be more answers. */
  isFinished: boolean;
}

/** @param sizes above zero, the greatest first */
export function sumsTo(
  target: bigint,
  sizes: readonly bigint[],
  { most, steps }: { most: number; steps: number },
): Sums {
  const before = [0n];
  for (const size of sizes) before.push((before.at(-1) ?? 0n) + size);
  const sumOf = (from: number, to: number): bigint =>
    (before[Math.min(to, sizes.length)] ?? 0n) - (before[from] ?? 0n);
  const answers: number[][] = [];
  const picked: number[] = [];
  let taken = 0;
  let isFinished = true;
  const search = (from: number, rest: bigint): void => {
    const free = most - picked.length;
    for (let i = from; i < sizes.length; i++) {
      // The greatest that are left do not come to it: nothing behind them does.
      if (sumOf(i, i + free) < rest) return;
      if (taken >= steps || answers.length >= MOST_ANSWERS) {
        isFinished = false;
        return;
      }
      taken++;
      const size = sizes[i] ?? 0n;
      if (size > rest) continue;
      picked.push(i);
      if (size === rest) answers.push([...picked]);
      else search(i + 1, rest - size);
      picked.pop();
      if (!isFinished) return;
    }
  };
  search(0, target);
  return { answers, steps: taken, isFinished };
}
