/**
 * Matches two sides in passes (docs/reconcile.md): by ids, then by reference. An amount alone matches nothing, and no pass takes what an
 * earlier one took. Each pass goes over the rows once, by indexes of texts: the time grows with the rows and no faster.
 */
import { byReference } from './by-reference.ts';
import { Fates, type Matched } from './fates.ts';
import { settleGroup } from './group.ts';
import type { Side } from './side.ts';
import { TextIndex } from './texts.ts';

export const DAYS = 3;

/** @param days so many may lie between the two dates of a payment that is matched by its reference */
export function match(left: Side, right: Side, { days = DAYS } = {}): Matched {
  const found: Matched = { left: new Fates(left), right: new Fates(right) };
  /** Rows whose id is known to the other side. */
  const known = new Int32Array(left.count).fill(-1);
  for (const keys of right.keys) byIds(found, new TextIndex(keys), known);
  endTaken(found, known);
  byReference(found, days);
  endRest(found);
  return found;
}

/** Rows that name the same payment, by one kind of id of the other side. */
function byIds(found: Matched, index: TextIndex, known: Int32Array): void {
  const { left, right } = found;
  const groups = new Chains(left.side.count, right.side.count);
  const isOpen = openness(found, index);
  for (let row = 0; row < left.side.count; row++) {
    if (!left.isOpen(row)) continue;
    for (const keys of left.side.keys) {
      const first = index.first(keys, row);
      if (first < 0) continue;
      if (known[row] === -1) known[row] = first;
      if (isOpen(first)) groups.add(first, row);
      break;
    }
  }
  groups.each((first, rows) => {
    const others: number[] = [];
    for (let other = first; other >= 0; other = index.next[other] ?? -1)
      if (right.isOpen(other)) others.push(other);
    settleGroup(found, rows, others);
  });
}

/**
 * Returns a test for a chain that has an open row. It looks at each chain once, since nothing is ended while
 * groups are made.
 */
function openness({ right }: Matched, index: TextIndex): (first: number) => boolean {
  const known = new Uint8Array(right.side.count);
  return (first) => {
    if (known[first] === 0) {
      let other = first;
      while (other >= 0 && !right.isOpen(other)) other = index.next[other] ?? -1;
      known[first] = other >= 0 ? 1 : 2;
    }
    return known[first] === 1;
  };
}

/** Rows by the row that they go to, in the order in which they came. */
class Chains {
  readonly #last: Int32Array;
  /** From each row to the one before it. */
  readonly #before: Int32Array;

  constructor(rows: number, goals: number) {
    this.#last = new Int32Array(goals).fill(-1);
    this.#before = new Int32Array(rows).fill(-1);
  }

  add(goal: number, row: number): void {
    this.#before[row] = this.#last[goal] ?? -1;
    this.#last[goal] = row;
  }

  each(take: (goal: number, rows: number[]) => void): void {
    for (let goal = 0; goal < this.#last.length; goal++) {
      const rows: number[] = [];
      for (let row = this.#last[goal] ?? -1; row >= 0; row = this.#before[row] ?? -1) rows.push(row);
      if (rows.length > 0) take(goal, rows.reverse());
    }
  }
}

/** Ends rows as duplicates where the row that they name went with another row. */
function endTaken({ left }: Matched, known: Int32Array): void {
  for (let row = 0; row < left.side.count; row++) {
    const other = known[row] ?? -1;
    if (other >= 0 && left.isOpen(row)) left.end(row, 'duplicate', other);
  }
}

/** Ends the rows that no pass took. */
function endRest({ left, right }: Matched): void {
  for (let row = 0; row < left.side.count; row++) if (left.isOpen(row)) left.end(row, 'only_in_ledger');
  const only = right.side.kind === 'service' ? 'only_at_service' : 'only_in_statement';
  for (let row = 0; row < right.side.count; row++) {
    if (!right.isOpen(row)) continue;
    const kind = right.side.kindOf(row);
    right.end(row, kind === 'not_funded' ? 'not_funded' : kind === 'in_flight' ? 'expected' : only);
  }
}
