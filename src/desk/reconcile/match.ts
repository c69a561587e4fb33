/**
 * Matches two sides in passes (docs/reconcile.md): by ids, then by reference. An amount alone matches nothing, and no pass takes what an
 * earlier one took. Each pass goes over the rows once, by maps of texts: the time grows with the rows and no faster.
 */
import { groupedBy } from '../../core/grouped-by.ts';
import { byReference } from './by-reference.ts';
import { Fate, type Half, isOpen, type Matched } from './fates.ts';
import { settleGroup } from './group.ts';
import { KEY_PLACES, type Side } from './side.ts';

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

const halfOf = (side: Side): Half => ({ side, fates: side.rows.map((row) => new Fate(row, side)) });

/** Rows that name the same payment, by one kind of id of the other side. */
function byIds({ left, right }: Matched, place: number, known: Map<Fate, Fate>): void {
  const byId = groupedBy(right.fates, ({ row }) => row.keys[place]);
  const groups = groupedBy(left.fates.filter(isOpen), ({ row }) => {
    for (const key of row.keys) {
      const others = key === undefined ? undefined : byId.get(key);
      if (others !== undefined) return others;
    }
    return undefined;
  });
  for (const [others, rows] of groups) {
    for (const row of rows) if (!known.has(row) && others[0] !== undefined) known.set(row, others[0]);
    const open = others.filter(isOpen);
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
