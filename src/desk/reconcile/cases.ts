/**
 * A case is a line about the rows of two sides: one for each pair that goes together, and one for each row
 * that stands alone.
 */
import { isoTime } from '../../core/clock.ts';
import type { Next } from '../../core/next.ts';
import { amountText } from '../words/amount.ts';
import { dayText, type Edge, edgeOf, isJustOutside, type Period } from './days.ts';
import { type Ending, endingWords } from './endings.ts';
import type { Fates, Matched } from './fates.ts';
import { amountOf, NO_DAY, type Side } from './side.ts';

export interface Shown {
  id: string | null;
  reference: string | null;
  amount: string;
  currency: string;
  /** `2026-10-31`, in the zone. */
  day: string | null;
}

export interface Case {
  against: string;
  ending: Ending;
  why: string;
  ledger: (Shown & { line: number }) | null;
  other: (Shown & OtherFacts) | null;
  /** The row of the ledger that has the same payment, where this line shows another one or none. */
  with_line: number | null;
  edge: Edge | null;
  /** The row of the other side that perhaps is the same payment: a person decides. */
  perhaps: (Shown & { line: number | null }) | null;
  next: Next | null;
}

interface OtherFacts {
  line: number | null;
  transaction_id: string | null;
  state: string | null;
  /** The money that came back of it. */
  refunded: string | null;
  deadline: string | null;
}

/** In the order of the ledger, then what the other side has alone in its own order. */
export function* casesOf(
  matched: Matched,
  period: Period | undefined,
  wanted: (ending: Ending) => boolean,
): Generator<Case> {
  const { left, right } = matched;
  for (let row = 0; row < left.side.count; row++) {
    const ending = left.of(row);
    if (wanted(ending)) yield ledgerCase(matched, row, period);
  }
  for (let row = 0; row < right.side.count; row++) {
    const ending = right.of(row);
    if (!wanted(ending) || isShownWithRow(matched, row)) continue;
    yield otherCase(matched, row, period);
  }
}

export interface Lines {
  /** How many lines `casesOf` has of each ending. */
  byEnding: ReadonlyMap<Ending, number>;
  /** How many of them are at an end of the period. */
  edges: number;
  /** Rows that are left out, and that another zone would put into the period. */
  justOutside: number;
}

/** Counted without making them. */
export function countLines(matched: Matched, period: Period | undefined): Lines {
  const { left, right } = matched;
  const byEnding = new Map<Ending, number>();
  let [edges, justOutside] = [0, 0];
  const count = (fates: Fates, row: number, edge: Edge | null): void => {
    const ending = fates.of(row);
    byEnding.set(ending, (byEnding.get(ending) ?? 0) + 1);
    if (ending !== 'outside') edges += edge === null ? 0 : 1;
    else if (period !== undefined && isJustOutside(fates, row, period)) justOutside++;
  };
  for (let row = 0; row < left.side.count; row++) count(left, row, edgeOfRow(matched, row, period));
  for (let row = 0; row < right.side.count; row++)
    if (!isShownWithRow(matched, row)) count(right, row, edgeOfOther(matched, row, period));
  return { byEnding, edges, justOutside };
}

/** Both of a pair say that they go together: they stand in one line. */
const isShownWithRow = ({ left, right }: Matched, row: number): boolean => {
  const mate = right.mate[row] ?? -1;
  return mate >= 0 && left.mate[mate] === row && left.of(mate) === right.of(row);
};

function ledgerCase(matched: Matched, row: number, period: Period | undefined): Case {
  const { left, right } = matched;
  const ending = left.of(row);
  const mate = left.mate[row] ?? -1;
  const isPair = isPairOf(matched, row, mate);
  const holder = isPair || mate < 0 ? -1 : (right.mate[mate] ?? -1);
  return {
    against: right.side.name,
    ending,
    why: whyOf(ending, right.side, mate),
    ledger: { line: left.side.line[row] ?? 0, ...shown(left.side, row) },
    other: isPair ? otherOf(right.side, mate) : null,
    with_line: holder < 0 || holder === row ? null : (left.side.line[holder] ?? null),
    edge: edgeOfRow(matched, row, period),
    perhaps: perhapsOf(right, matched.perhaps?.right.get(row)),
    next: nextOf(ending, matched, row, mate),
  };
}

function otherCase(matched: Matched, row: number, period: Period | undefined): Case {
  const { left, right } = matched;
  const ending = right.of(row);
  const mate = right.mate[row] ?? -1;
  return {
    against: right.side.name,
    ending,
    why: whyOf(ending, right.side, row),
    ledger: null,
    other: otherOf(right.side, row),
    with_line: mate < 0 ? null : (left.side.line[mate] ?? null),
    edge: edgeOfOther(matched, row, period),
    perhaps: perhapsOf(left, matched.perhaps?.left.get(row)),
    next: nextOf(ending, matched, -1, row),
  };
}

function perhapsOf({ side }: Fates, row: number | undefined): Case['perhaps'] {
  if (row === undefined) return null;
  const line = side.line[row] ?? 0;
  return { line: line === 0 ? null : line, ...shown(side, row) };
}

const isPairOf = (matched: Matched, row: number, mate: number): boolean =>
  mate >= 0 && matched.right.mate[mate] === row && isShownWithRow(matched, mate);

function edgeOfRow(matched: Matched, row: number, period: Period | undefined): Edge | null {
  const { left, right } = matched;
  const mate = left.mate[row] ?? -1;
  const other = isPairOf(matched, row, mate) ? edgeOf(right, mate, period) : undefined;
  return edgeOfCase(edgeOf(left, row, period), other, mate >= 0);
}

const edgeOfOther = ({ right }: Matched, row: number, period: Period | undefined): Edge | null =>
  edgeOfCase(edgeOf(right, row, period), undefined, (right.mate[row] ?? -1) >= 0);

/**
 * Returns the edge of a case. A row near the end is said to be there where the other half is missing: that
 * may be in the time before or behind.
 */
function edgeOfCase(one: Edge | undefined, other: Edge | undefined, isFound: boolean): Edge | null {
  if (one === 'outside' || other === 'outside') return 'outside';
  return isFound ? null : (one ?? null);
}

function shown(side: Side, row: number): Shown {
  const currency = side.currencyOf(row);
  const key = side.keys.find((column) => !column.isEmpty(row));
  const reference = side.reference.get(row);
  return {
    id: idOf(side, row) ?? key?.get(row) ?? null,
    reference: reference === '' ? null : reference,
    amount: shownAmount(side.amount[row] ?? 0n, currency),
    currency,
    day: dayText(side.day[row] ?? NO_DAY),
  };
}

/** Returns the id by which people know a payment of the service: their own id of its transaction. */
function idOf(side: Side, row: number): string | undefined {
  if (side.kind !== 'service') return undefined;
  return side.keys[3]?.isEmpty(row) === false ? side.keys[3].get(row) : undefined;
}

export const shownAmount = (units: bigint, currency: string): string =>
  amountText(amountOf(units, currency), currency) ?? '0';

function otherOf(side: Side, row: number): Shown & OtherFacts {
  const [deadline, back] = [side.deadline[row] ?? Number.NaN, side.back[row] ?? 0n];
  const state = side.stateOf(row);
  const line = side.line[row] ?? 0;
  return {
    line: line === 0 ? null : line,
    transaction_id: transactionOf(side, row) ?? null,
    state: state === '' ? null : state,
    refunded: side.kindOf(row) === 'back' ? shownAmount(back, side.currencyOf(row)) : null,
    deadline: Number.isNaN(deadline) ? null : isoTime(deadline),
    ...shown(side, row),
  };
}

function transactionOf(side: Side, row: number): string | undefined {
  const column = side.kind === 'service' ? side.keys[2] : undefined;
  return column === undefined || column.isEmpty(row) ? undefined : column.get(row);
}

function whyOf(ending: Ending, other: Side, row: number): string {
  if (ending !== 'state_differs' || row < 0) return endingWords[ending];
  const kind = other.kindOf(row);
  if (kind === 'back') return 'it is booked as paid, and it was refunded since';
  if (kind === 'not_funded') return 'it is booked as paid, and it was never funded';
  return 'it is booked as refunded, and it was not';
}

/** Ids from outside are put into a command only where no shell would run them. */
const isPlain = (text: string | undefined): text is string =>
  text !== undefined && /^[\w.:-]{1,100}$/.test(text) && !text.startsWith('-');

function nextOf(ending: Ending, { left, right }: Matched, row: number, other: number): Next | null {
  if (ending === 'matched' || ending === 'not_funded') return null;
  if (right.side.kind !== 'service') return null;
  if (other < 0) {
    const id = keyOf(left, row);
    return id === undefined ? { do: 'list_transactions' } : { do: 'show_transaction', id };
  }
  const id = [idOf(right.side, other), transactionOf(right.side, other)].find(isPlain);
  if (id === undefined) return { do: 'list_transactions' };
  return ending === 'expected' ? { do: 'watch_transaction', id } : { do: 'show_transaction', id };
}

/** Returns the name that the ledger has for the row, if the service may know it by that. */
function keyOf({ side }: Fates, row: number): string | undefined {
  const column = row < 0 ? undefined : side.keys.find((keys) => !keys.isEmpty(row));
  const key = column?.get(row);
  return isPlain(key) ? key : undefined;
}
