/**
 * Rows with the same reference: first the same amount and currency with few days between, then one row for the total of several, then two
 * rows that are alone with their reference and differ.
 */
import type { Fates, Matched } from './fates.ts';
import { settleTotal } from './group.ts';
import { NO_DAY } from './side.ts';
import { type TextColumn, TextIndex } from './texts.ts';

export function byReference(found: Matched, days: number): void {
  const { left, right } = found;
  const [mine, theirs] = [new TextIndex(left.side.reference), new TextIndex(right.side.reference)];
  for (let row = 0; row < left.side.count; row++) {
    if (mine.first(left.side.reference, row) !== row) continue;
    const first = theirs.first(left.side.reference, row);
    if (first < 0) continue;
    const rows = openRows(left, mine, row);
    const others = openRows(right, theirs, first);
    if (rows.length === 0 || others.length === 0) continue;
    byAmount(found, rows, others, days);
    byTotal(found, rows, others, days);
    byReferenceAlone(found, rows, others, days);
  }
  // A bank prints an id in capitals and a spreadsheet in small letters, perhaps beside a text of their own.
  for (const ids of [...left.side.keys, left.side.reference])
    for (const others of [right.side.reference, ...right.side.keys])
      byIdInAnyCase(found, { ids, others, days });
}

/** The same id in whatever case, of the same amount and currency with few days between. Nothing is said of rows that differ. */
function byIdInAnyCase(
  found: Matched,
  { ids, others: columns, days }: { ids: TextColumn; others: TextColumn; days: number },
): void {
  const { left, right } = found;
  const [mine, theirs] = [new TextIndex(ids, true), new TextIndex(columns, true)];
  for (let row = 0; row < left.side.count; row++) {
    if (mine.first(ids, row) !== row) continue;
    const first = theirs.first(ids, row);
    if (first < 0) continue;
    const rows = openRows(left, mine, row);
    const others = openRows(right, theirs, first);
    if (rows.length > 0 && others.length > 0) byAmount(found, rows, others, days);
  }
}

/** By day, then in the order of the file. A row without a day is matched by nothing here. */
function openRows(fates: Fates, index: TextIndex, first: number): number[] {
  const rows: number[] = [];
  for (let row = first; row >= 0; row = index.next[row] ?? -1)
    if (fates.isOpen(row) && fates.side.day[row] !== NO_DAY) rows.push(row);
  const { day } = fates.side;
  return rows.length < 2 ? rows : rows.sort((a, b) => (day[a] ?? 0) - (day[b] ?? 0) || a - b);
}

const open = (fates: Fates, rows: readonly number[]): number[] => rows.filter((row) => fates.isOpen(row));

/** The earliest row with the earliest one that is within reach of it. */
function byAmount(found: Matched, rows: readonly number[], others: readonly number[], days: number): void {
  const { left, right } = found;
  const buckets = new Map<string, number[]>();
  for (const other of others) add(buckets, placeOf(right, other), other);
  const next = new Map<string, number>();
  const latest = new Map<string, { day: number; other: number }>();
  for (const row of rows) {
    const place = placeOf(left, row);
    const bucket = buckets.get(place);
    if (bucket === undefined) continue;
    const day = left.side.day[row] ?? 0;
    let at = next.get(place) ?? 0;
    while (at < bucket.length && (right.side.day[bucket[at] ?? 0] ?? 0) < day - days) at++;
    const other = bucket[at];
    const before = latest.get(place);
    if (other !== undefined && (right.side.day[other] ?? 0) <= day + days) {
      endPair(found, row, other);
      latest.set(place, { day, other });
      at++;
    } else if (before?.day === day) left.end(row, 'duplicate', before.other);
    next.set(place, at);
  }
}

function add(buckets: Map<string, number[]>, place: string, row: number): void {
  const bucket = buckets.get(place);
  if (bucket === undefined) buckets.set(place, [row]);
  else bucket.push(row);
}

const placeOf = ({ side }: Fates, row: number): string => `${side.currencyOf(row)} ${side.amount[row]}`;

function endPair({ left, right }: Matched, row: number, other: number): void {
  const isBack = right.side.back[other] !== 0n;
  const ending = right.side.kindOf(other) === 'in_flight' ? 'expected' : isBack ? 'state_differs' : 'matched';
  left.end(row, ending, other);
  right.end(other, ending, row);
}

/** One row on one side, and on the other several that come to the same. */
function byTotal(
  found: Matched,
  rowsBefore: readonly number[],
  othersBefore: readonly number[],
  days: number,
): void {
  const { left, right } = found;
  const [rows, others] = [open(left, rowsBefore), open(right, othersBefore)];
  if (rows.length === 0 || others.length === 0) return;
  const currencies = new Set(rows.map((row) => left.side.currencyOf(row)));
  for (const currency of currencies) {
    let mine = rows.filter((row) => left.side.currencyOf(row) === currency);
    let theirs = others.filter((other) => right.side.currencyOf(other) === currency);
    const [lone, other] = [mine[0] ?? 0, theirs[0] ?? 0];
    if (mine.length === 1) theirs = theirs.filter((one) => isNear(found, lone, one, days));
    else if (theirs.length === 1) mine = mine.filter((one) => isNear(found, one, other, days));
    else continue;
    if (Math.min(mine.length, theirs.length) !== 1 || Math.max(mine.length, theirs.length) < 2) continue;
    const booked = total(left, mine);
    const gross = total(right, theirs);
    const back = theirs.reduce((sum, one) => sum + (right.side.back[one] ?? 0n), 0n);
    if (booked === gross - back || booked === gross)
      settleTotal(found, mine, theirs, booked === gross - back);
  }
}

const total = ({ side }: Fates, rows: readonly number[]): bigint =>
  rows.reduce((sum, row) => sum + (side.amount[row] ?? 0n), 0n);

const isNear = ({ left, right }: Matched, row: number, other: number, days: number): boolean =>
  Math.abs((left.side.day[row] ?? 0) - (right.side.day[other] ?? 0)) <= days;

/**
 * Pairs rows whose reference nothing else has on either side: they are one payment, and something about it
 * differs.
 */
function byReferenceAlone(
  found: Matched,
  rowsBefore: readonly number[],
  othersBefore: readonly number[],
  days: number,
): void {
  const { left, right } = found;
  if (rowsBefore.length !== 1 || othersBefore.length !== 1) return;
  const [row = 0, other = 0] = [rowsBefore[0], othersBefore[0]];
  if (!left.isOpen(row) || !right.isOpen(other) || !isNear(found, row, other, days)) return;
  const isSame = left.side.currencyOf(row) === right.side.currencyOf(other);
  const ending = isSame ? 'amount_differs' : 'currency_differs';
  left.end(row, ending, other);
  right.end(other, ending, row);
}
