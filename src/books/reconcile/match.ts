/**
 * Matches two sides in passes (docs/reconcile.md): by ids, then by reference. An amount alone matches nothing, and no pass takes what an
 * earlier one took. Each pass goes over the rows once, by maps of texts: the time grows with the rows and no faster.
 */

import { groupedBy } from '../../core/grouped-by.ts';
import { endBoth, Fate, isFateOpen, type Matched, type PaymentPart, sumOf } from './fates.ts';
import { settleGroup, settleTotal } from './group.ts';
import { KEY_PLACES, type Side, type SideRow } from './side.ts';

export const DAYS = 3;

/** @param days so many may lie between the two dates of a payment that is matched by its reference */
export function match(left: Side, right: Side, { days = DAYS } = {}): Matched {
  const found: Matched = { left: halfOf(left), right: halfOf(right) };
  /** Rows whose id is known to the other side, and the row there. */
  const known = new Map<Fate, Fate>();
  for (const place of KEY_PLACES) byIds(found, place, known);
  // The row that they name went with another row.
  for (const [row, other] of known) if (row.isOpen) row.end('duplicate', other);
  byReference(found, days);
  endRest(found);
  return found;
}

const halfOf = (side: Side): PaymentPart => ({ side, fates: side.rows.map((row) => new Fate(row, side)) });

/** Rows that name the same payment, by one kind of id of the other side. */
function byIds({ left, right }: Matched, place: number, known: Map<Fate, Fate>): void {
  const byId = groupedBy(right.fates, ({ row }) => row.keys[place]);
  const groups = groupedBy(left.fates.filter(isFateOpen), ({ row }) => {
    for (const key of row.keys) {
      const others = key === undefined ? undefined : byId.get(key);
      if (others !== undefined) return others;
    }
    return undefined;
  });
  for (const [others, rows] of groups) {
    for (const row of rows) if (!known.has(row) && others[0] !== undefined) known.set(row, others[0]);
    const open = others.filter(isFateOpen);
    if (open.length > 0) settleGroup(rows, open);
  }
}

/** Ends the rows that no pass took. */
function endRest({ left, right }: Matched): void {
  for (const row of left.fates) if (row.isOpen) row.end('only_in_ledger');
  const only = right.side.kind === 'service' ? 'only_at_service' : 'only_in_statement';
  for (const other of right.fates) {
    if (!other.isOpen) continue;
    const { kind } = other.row;
    other.end(kind === 'not_funded' ? 'not_funded' : kind === 'in_flight' ? 'expected' : only);
  }
}

type Text = (row: SideRow) => string | undefined;
const REFERENCE: Text = ({ reference }) => reference || undefined;
const IDS = KEY_PLACES.map(
  (place): Text =>
    ({ keys }) =>
      keys[place],
);

/**
 * Rows with the same reference: first the same amount and currency with few days between, then one row for
 * the total of several, then two rows that are alone with their reference and differ.
 */
function byReference({ left, right }: Matched, days: number): void {
  const theirs = byText(right.fates, REFERENCE);
  for (const [text, rows] of byText(left.fates, REFERENCE)) {
    const others = theirs.get(text);
    if (others === undefined) continue;
    byAmount(rows, others, days);
    byTotal(rows, others, days);
    byReferenceAlone(rows, others, days);
  }
  // A bank prints an id in capitals and a spreadsheet in small letters, perhaps beside a text of their own.
  const columns = [REFERENCE, ...IDS].map((text) => byText(right.fates, text));
  for (const text of [...IDS, REFERENCE]) {
    const mine = byText(left.fates, text);
    for (const others of columns) byIdInAnyCase(mine, others, days);
  }
}

/** The same id in whatever case, of the same amount and currency with few days between. Rows that differ are passed over. */
function byIdInAnyCase(
  mine: ReadonlyMap<string, readonly Fate[]>,
  theirs: ReadonlyMap<string, readonly Fate[]>,
  days: number,
): void {
  for (const [text, rows] of mine) {
    const others = theirs.get(text)?.filter(isFateOpen);
    if (others !== undefined) byAmount(rows.filter(isFateOpen), others, days);
  }
}

/**
 * The open rows of each text, in whatever case of the letters a to z: by day, then in the order of the file. A row without a day is
 * matched by nothing here.
 */
function byText(fates: readonly Fate[], text: Text): Map<string, Fate[]> {
  const groups = groupedBy(fates, (one) =>
    one.isOpen && one.row.day !== undefined ? text(one.row)?.replace(/[a-z]+/g, capitals) : undefined,
  );
  for (const rows of groups.values()) if (rows.length > 1) rows.sort((a, b) => dayOf(a) - dayOf(b));
  return groups;
}

const capitals = (letters: string): string => letters.toUpperCase();
const dayOf = ({ row }: Fate): number => row.day ?? 0;

/** The earliest row with the earliest one that is within reach of it. */
function byAmount(rows: readonly Fate[], others: readonly Fate[], days: number): void {
  const buckets = groupedBy(others, placeOf);
  const next = new Map<string, number>();
  const latest = new Map<string, { day: number; other: Fate }>();
  for (const row of rows) {
    const place = placeOf(row);
    const bucket = buckets.get(place);
    if (bucket === undefined) continue;
    const day = dayOf(row);
    let at = next.get(place) ?? 0;
    let other = bucket[at];
    while (other !== undefined && dayOf(other) < day - days) other = bucket[++at];
    const before = latest.get(place);
    if (other !== undefined && dayOf(other) <= day + days) {
      endBoth(row, other, endingWith(other));
      latest.set(place, { day, other });
      at++;
    } else if (before?.day === day) row.end('duplicate', before.other);
    next.set(place, at);
  }
}

const placeOf = ({ row }: Fate): string => `${row.currency} ${row.amount}`;

const endingWith = ({ row }: Fate) =>
  row.kind === 'in_flight' ? 'expected' : row.back !== 0n ? 'state_differs' : 'matched';

/** One row on one side, and on the other several that come to the same. */
function byTotal(rowsBefore: readonly Fate[], othersBefore: readonly Fate[], days: number): void {
  const [rows, others] = [rowsBefore.filter(isFateOpen), othersBefore.filter(isFateOpen)];
  const byCurrency = groupedBy(others, currencyOf);
  for (const [currency, all] of groupedBy(rows, currencyOf)) {
    let mine = all;
    let theirs = byCurrency.get(currency) ?? [];
    const [lone, other] = [mine[0], theirs[0]];
    if (lone === undefined || other === undefined) continue;
    if (mine.length === 1) theirs = theirs.filter((one) => isNear(lone, one, days));
    else if (theirs.length === 1) mine = mine.filter((one) => isNear(one, other, days));
    else continue;
    if (Math.min(mine.length, theirs.length) !== 1 || Math.max(mine.length, theirs.length) < 2) continue;
    const booked = sumOf(mine);
    const gross = sumOf(theirs);
    const net = gross - sumOf(theirs, 'back');
    if (booked === net || booked === gross) settleTotal(mine, theirs, booked === net);
  }
}

const currencyOf = ({ row }: Fate): string => row.currency;

const isNear = (one: Fate, other: Fate, days: number): boolean => Math.abs(dayOf(one) - dayOf(other)) <= days;

/**
 * Pairs rows whose reference nothing else has on either side: they are one payment, and something about it
 * differs.
 */
function byReferenceAlone(rows: readonly Fate[], others: readonly Fate[], days: number): void {
  const [row, other] = [rows[0], others[0]];
  if (rows.length !== 1 || others.length !== 1 || row === undefined || other === undefined) return;
  if (!row.isOpen || !other.isOpen || !isNear(row, other, days)) return;
  endBoth(row, other, row.row.currency === other.row.currency ? 'amount_differs' : 'currency_differs');
}
