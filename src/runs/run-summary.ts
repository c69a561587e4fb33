/** Where a run stands: how many rows are what, what they come to, and whether that agrees with what the service says. */

import { roundingStep } from '../client/same.ts';
import { money } from '../core/amount-words.ts';
import { add, eq, gt, isZero, mul, sub } from '../core/money.ts';
import { foundRows, type PaidBefore, paidBefore } from './paid-before.ts';
import type { FoundRows } from './plan-text.ts';
import {
  type FoundSum,
  type PayRun,
  type PayRuns,
  ROW_STATES,
  type RowState,
  type RowStateInfo,
  type RowSum,
  rowStates,
  rowStatesThat,
} from './store/port.ts';
import { stillNeeded } from './watchful.ts';

export type RunEnding =
  /** Every row was paid, or funded as asked. */
  | 'done'
  /** Rows are still to be sent, or on their way. */
  | 'under_way'
  | 'unknown'
  /** Some were refused, or need a person. */
  | 'some'
  /** No row was paid for. */
  | 'none';

export interface RunSummary {
  run: PayRun;
  counts: Readonly<Record<RowState, number>>;
  /** The money that this run took from the balance and that did not come back, by input currency. */
  spent: Readonly<Record<string, string>>;
  /** The expected costs of the rest, by input currency. */
  needed: Readonly<Record<string, string>>;
  /** Rows that were paid before the run: none of what it spent. */
  before: PaidBefore;
  /** Rows that were paid elsewhere under the ids of this run: none of what was spent from here. */
  elsewhere: FoundRows;
  /** Rows that this run paid for, and that stand with other money or another payee. */
  otherwise: FoundRows;
  totals: readonly RunTotal[];
  /** Sentences, one for each sum that is not what it should be. Empty where all agree. */
  breaks: readonly string[];
  ending: RunEnding;
}

export interface RunTotal {
  type: string;
  currency: string;
  inputCurrency: string;
  rows: number;
  /** The amount of all rows, as planned. */
  amount: string;
  /** The amount of rows that were paid out. */
  paid: string;
  /** The amount of rows that are on their way. */
  open: string;
  /** The amount of rows in error: the service has the money until a user acts. */
  held: string;
  /** The amount of rows of which it is not known whether they were paid. */
  unknown: string;
  /** Rows that were paid for, by any user, as the plan expected their cost and as it came to be, in the input currency. */
  plannedCost: string;
  cost: string;
  /** The amount that arrives of these. */
  arrives: string;
}

export async function runSummaryOf(
  payruns: PayRuns,
  run: PayRun,
  until?: 'funded' | 'paid',
): Promise<RunSummary> {
  const [sums, found] = await Promise.all([payruns.sums(run.id), payruns.found(run.id)]);
  return summaryOfRun(run, { sums, found }, until);
}

/** @param until `funded`: a row is done when its money is taken; `paid`: when it was paid out */
export function summaryOfRun(
  run: PayRun,
  { sums, found }: { sums: readonly RowSum[]; found: readonly FoundSum[] },
  until: 'funded' | 'paid' = 'funded',
): RunSummary {
  const counts = Object.fromEntries(ROW_STATES.map((state) => [state, 0])) as Record<RowState, number>;
  const spent: Record<string, string> = {};
  for (const { state, rows, inputCurrency, cost } of sums) {
    counts[state] += rows;
    if (rowStates[state].takesMoney) spent[inputCurrency] = add(spent[inputCurrency] ?? '0', cost);
  }
  for (const { state, inputCurrency, cost, found: whose } of found)
    if (rowStates[state].takesMoney && whose !== 'otherwise')
      spent[inputCurrency] = sub(spent[inputCurrency] ?? '0', cost);
  const before = paidBefore(run, found);
  const otherwise = foundRows(
    found.filter(({ state }) => rowStates[state].takesMoney),
    'otherwise',
  );
  return {
    run,
    counts,
    spent: Object.fromEntries(Object.entries(spent).filter(([, amount]) => !isZero(amount))),
    needed: stillNeeded(sums),
    before,
    elsewhere: foundRows(found, 'elsewhere'),
    otherwise,
    totals: totalsOf(sums),
    breaks: breaksOf(run, sums, counts),
    ending: endingOf(run, { counts, before, otherwise }, until),
  };
}

function totalsOf(sums: readonly RowSum[]): RunTotal[] {
  const totals = new Map<string, RunTotal>();
  for (const { type, currency, inputCurrency, rows, amount, state, ...sum } of sums) {
    const name = `${type} ${currency} ${inputCurrency}`;
    const total = totals.get(name) ?? {
      type,
      currency,
      inputCurrency,
      rows: 0,
      amount: '0',
      paid: '0',
      open: '0',
      held: '0',
      unknown: '0',
      plannedCost: '0',
      cost: '0',
      arrives: '0',
    };
    total.rows += rows;
    total.amount = add(total.amount, amount);
    if (state === 'paid') total.paid = add(total.paid, amount);
    if (state === 'created') total.open = add(total.open, amount);
    if (rowStates[state].unsure) total.unknown = add(total.unknown, amount);
    if (state === 'in_error') total.held = add(total.held, amount);
    // A cost that the service did not say would make the others look cheap.
    if (rowStates[state].takesMoney && eq(amount, sum.arrives)) {
      total.plannedCost = add(total.plannedCost, sum.estimate);
      total.cost = add(total.cost, sum.cost);
      total.arrives = add(total.arrives, sum.arrives);
    }
    totals.set(name, total);
  }
  return [...totals.values()];
}

function breaksOf(run: PayRun, sums: readonly RowSum[], counts: Record<RowState, number>): string[] {
  const counted = Object.values(counts).reduce((all, rows) => all + rows, 0);
  const breaks =
    counted === run.rows ? [] : [`the run has ${run.rows} rows, and its states add up to ${counted}`];
  const planned: Record<string, string> = {};
  const says: Record<string, string> = {};
  const steps: Record<string, string> = {};
  for (const { state, currency, amount, arrives, rows } of sums) {
    if (!rowStates[state].exists) continue;
    steps[currency] = add(steps[currency] ?? '0', mul(roundingStep(currency), String(rows)));
    planned[currency] = add(planned[currency] ?? '0', amount);
    says[currency] = add(says[currency] ?? '0', arrives);
  }
  for (const [currency, amount] of Object.entries(planned)) {
    const theirs = says[currency] ?? '0';
    // Each row was compared by itself when it was made; a provider that rounds is no break.
    const [low, high] = gt(amount, theirs) ? [theirs, amount] : [amount, theirs];
    if (gt(sub(high, low), steps[currency] ?? '0'))
      breaks.push(
        `${money(amount, currency)} was planned for the rows that exist, and the service says ${money(theirs, currency)}: ${money(sub(amount, theirs), currency)} apart`,
      );
  }
  return breaks;
}

function endingOf(
  run: PayRun,
  { counts, before, otherwise }: Pick<RunSummary, 'counts' | 'before' | 'otherwise'>,
  until: 'funded' | 'paid',
): RunEnding {
  const rowsThat = (fits: (info: RowStateInfo) => boolean): number =>
    rowStatesThat(fits).reduce((all, state) => all + counts[state], 0);
  if (rowsThat(({ unsure }) => unsure) > 0) return 'unknown';
  const isCancelled = run.state === 'cancelled';
  if (counts.planned > 0 && !isCancelled) return 'under_way';
  if (until === 'paid' && counts.created > 0) return 'under_way';
  // The service has the money of a row in error until a user acts: that is not nothing.
  if (rowsThat(({ takesMoney }) => takesMoney) === 0) return 'none';
  const isWell = before.rows <= before.accepted && otherwise.rows === 0;
  return rowsThat(({ endsWell }) => endsWell) === run.rows && isWell ? 'done' : 'some';
}
