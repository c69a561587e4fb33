/**
 * A case is a line about the rows of two sides: one for each pair that goes together, and one for each row
 * that stands alone.
 */

import { amountText, money } from '../../core/amount-words.ts';
import { isoTime } from '../../core/clock.ts';
import type { Next } from '../../core/next.ts';
import { type DayPeriod, dayText, type Edge, edgeOf, isJustOutside } from './days.ts';
import { endingWords, type RowEnding } from './endings.ts';
import { type Fate, isPair, type Matched } from './fates.ts';
import { type Side, unitsText } from './side.ts';

export interface ShownSide {
  id: string | null;
  reference: string | null;
  amount: string;
  currency: string;
  /** `2026-10-31`, in the zone. */
  day: string | null;
}

export interface ReconcileCase {
  against: string;
  ending: RowEnding;
  why: string;
  ledger: (ShownSide & { line: number }) | null;
  other: (ShownSide & OtherFacts) | null;
  /** The row of the ledger that has the same payment, where this line shows another one or none. */
  with_line: number | null;
  edge: Edge | null;
  /** The row of the other side that perhaps is the same payment: a person decides. */
  perhaps: (ShownSide & { line: number | null }) | null;
  /** The suggestion of a rule; without an id it cannot be accepted. */
  suggestion: { id: string | null; rule: string; words: string; charge: string | null } | null;
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

/** Follows the order of the ledger, then what the other side has alone in its own order. */
export function* casesOf(
  matched: Matched,
  period: DayPeriod | undefined,
  wanted: (ending: RowEnding) => boolean,
): Generator<ReconcileCase> {
  const { left, right } = matched;
  for (const one of left.fates) if (wanted(one.ending)) yield caseOf(one, right.side, period);
  for (const one of right.fates)
    if (wanted(one.ending) && !isPair(one)) yield caseOf(one, right.side, period);
}

export interface CaseLines {
  /** How many lines `casesOf` has of each ending. */
  byEnding: ReadonlyMap<RowEnding, number>;
  /** How many of them are at an end of the period. */
  edges: number;
  /** Rows that are left out, and that another zone would put into the period. */
  justOutside: number;
}

/** Counted without making them. */
export function countLines({ left, right }: Matched, period: DayPeriod | undefined): CaseLines {
  const byEnding = new Map<RowEnding, number>();
  let [edges, justOutside] = [0, 0];
  for (const one of [...left.fates, ...right.fates.filter((other) => !isPair(other))]) {
    const { ending } = one;
    byEnding.set(ending, (byEnding.get(ending) ?? 0) + 1);
    if (ending !== 'outside') edges += edgeOfCase(one, period) === null ? 0 : 1;
    else if (period !== undefined && isJustOutside(one, period)) justOutside++;
  }
  return { byEnding, edges, justOutside };
}

function caseOf(one: Fate, against: Side, period: DayPeriod | undefined): ReconcileCase {
  const { ending, mate } = one;
  const isOther = one.side === against;
  const other = isOther ? one : mate;
  /** The row of the ledger that has the payment. */
  const holder = isOther ? mate : mate?.mate;
  return {
    against: other?.row.file ?? against.name,
    ending,
    why: whyOf(ending, other),
    ledger: isOther ? null : { line: one.row.line ?? 0, ...shown(one) },
    other: other !== undefined && (isOther || isPair(one)) ? otherOf(other) : null,
    with_line: holder === undefined || holder === one ? null : (holder.row.line ?? null),
    edge: edgeOfCase(one, period),
    perhaps: one.perhaps === undefined ? null : { line: one.perhaps.row.line ?? null, ...shown(one.perhaps) },
    suggestion: suggestedOf(one),
    next: against.kind === 'service' ? nextOf(ending, isOther ? undefined : one, other) : null,
  };
}

function suggestedOf({ suggestion, row }: Fate): ReconcileCase['suggestion'] {
  if (suggestion === undefined) return null;
  const { id = null, rule, words, charge } = suggestion;
  return { id, rule, words, charge: charge === undefined ? null : shownAmount(charge, row.currency) };
}

/**
 * Returns the edge of a case. A row near the end is marked where the other half is missing: that
 * may be in the time before or behind.
 */
function edgeOfCase(one: Fate, period: DayPeriod | undefined): Edge | null {
  const { mate } = one;
  const edge = edgeOf(one, period);
  const other = mate !== undefined && isPair(one) ? edgeOf(mate, period) : undefined;
  if (edge === 'outside' || other === 'outside') return 'outside';
  return mate === undefined ? (edge ?? null) : null;
}

function shown(one: Fate): ShownSide {
  const { keys, reference, amount, currency, day } = one.row;
  return {
    id: idOf(one) ?? keys.find((key) => key !== undefined) ?? null,
    reference: reference || null,
    amount: shownAmount(amount, currency),
    currency,
    day: dayText(day),
  };
}

/** Returns the id by which people know a payment of the service: their own id of its transaction. */
const idOf = ({ side, row }: Fate): string | undefined => (side.kind === 'service' ? row.keys[3] : undefined);

const transactionOf = ({ side, row }: Fate): string | undefined =>
  side.kind === 'service' ? row.keys[2] : undefined;

/** `-14.99 EUR wages-1 of 2026-01-05`. */
export const sideWords = ({ amount, currency, reference, id, day }: ShownSide): string =>
  `${money(amount, currency)} ${reference ?? id} of ${day}`;

export const shownAmount = (units: bigint, currency: string): string =>
  amountText(unitsText(units, currency), currency) ?? '0';

function otherOf(one: Fate): ShownSide & OtherFacts {
  const { line, state, kind, back, currency, deadline } = one.row;
  return {
    line: line ?? null,
    transaction_id: transactionOf(one) ?? null,
    state: state || null,
    refunded: kind === 'back' ? shownAmount(back, currency) : null,
    deadline: deadline === undefined ? null : isoTime(deadline),
    ...shown(one),
  };
}

function whyOf(ending: RowEnding, other: Fate | undefined): string {
  if (ending !== 'state_differs' || other === undefined) return endingWords[ending];
  const { kind } = other.row;
  if (kind === 'back') return 'it is booked as paid, and it was refunded since';
  if (kind === 'not_funded') return 'it is booked as paid, and it was never funded';
  return 'it is booked as refunded, and it was not';
}

/** Ids from outside are put into a command only where no shell would run them. */
const isPlain = (text: string | undefined): text is string =>
  text !== undefined && /^[\w.:-]{1,100}$/.test(text) && !text.startsWith('-');

/** @param mine a row of the ledger: the service may know the first name that the ledger has for it */
function nextOf(ending: RowEnding, mine: Fate | undefined, other: Fate | undefined): Next | null {
  if (ending === 'matched' || ending === 'not_funded') return null;
  if (other === undefined) {
    const id = mine?.row.keys.find((key) => key !== undefined);
    return isPlain(id) ? { do: 'show_transaction', id } : { do: 'list_transactions' };
  }
  const id = [idOf(other), transactionOf(other)].find(isPlain);
  if (id === undefined) return { do: 'list_transactions' };
  return ending === 'expected' ? { do: 'watch_transaction', id } : { do: 'show_transaction', id };
}
