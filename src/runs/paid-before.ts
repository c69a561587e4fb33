/**
 * Rows whose external id names a payment already. An external id names one transaction for ever, so such a row is never paid again; whether this run
 * paid it is another matter. Where its id is one that a run of this name makes, it was paid for this run, from another store (a disk was lost)
 * or in a file that was handed on: `elsewhere`. Else it was paid `before`, which a person must know of before the run may end well.
 */

import { counted, money, thousands } from '../core/amount-words.ts';
import { hint } from '../core/next.ts';
import { unsent } from '../core/problem.ts';
import { rowCosts } from './estimate.ts';
import { type FoundRows, isOfRun, planOf } from './plan-text.ts';
import type { FoundSum, FoundWhere, PayRow, PayRun, PayRuns } from './store/port.ts';
import type { Pause } from './verdict.ts';

export const whoseIs = (
  run: string,
  { externalId }: Pick<PayRow, 'externalId'>,
): Exclude<FoundWhere, 'otherwise'> => (isOfRun(run, externalId) ? 'elsewhere' : 'before');

/** How many rows were paid before the run, what they cost, and how many of them a user accepted. */
export interface PaidBefore extends FoundRows {
  accepted: number;
}

export function paidBefore(run: PayRun, sums: readonly FoundSum[]): PaidBefore {
  const accepted = Math.max(run.acceptedBefore ?? 0, planOf(run).before?.rows ?? 0);
  return { ...foundRows(sums, 'before'), accepted };
}

export function foundRows(sums: readonly FoundSum[], whose: FoundWhere): FoundRows {
  const theirs = sums.filter(({ found }) => found === whose);
  return {
    rows: theirs.reduce((all, { rows }) => all + rows, 0),
    costs: rowCosts(theirs.map(({ inputCurrency, cost }) => ({ inputCurrency, estimate: cost }))),
  };
}

/** `3 rows, 44.97 EUR`. */
export function foundWords({ rows, costs }: FoundRows): string {
  const amounts = Object.entries(costs).map(([currency, cost]) => money(cost, currency));
  return [counted(rows, 'row'), ...amounts].join(', ');
}

/** Why no more may be paid; undefined where a user accepted each row that was paid before. */
function pauseFor({ rows, costs, accepted }: PaidBefore): Pause | undefined {
  if (rows <= accepted) return undefined;
  const were = rows === 1 ? 'was' : 'were';
  return {
    code: 'paid_before',
    why: `${foundWords({ rows, costs })}, ${were} paid before, and not by this run`,
  };
}

/** @param known where they were just read */
export async function beforePause(
  payruns: PayRuns,
  run: PayRun,
  known?: readonly FoundSum[],
): Promise<Pause | undefined> {
  const sums = known ?? (await payruns.found(run.id));
  if (!sums.some(({ found }) => found === 'before')) return undefined;
  // They may have been accepted meanwhile.
  const [now = run] = await payruns.find(run.account.baseUrl, run.id);
  return pauseFor(paidBefore(now, sums));
}

/** Says why a number is not the one that was given. @throws Problem (check) */
export function refuseOtherNumber(
  run: Pick<PayRun, 'name'>,
  { said: number, rows, named }: { said: number | undefined; rows: number; named: readonly string[] },
): void {
  if (rows === (number ?? 0)) return;
  const more = rows > named.length ? `, and ${thousands(rows - named.length)} more` : '';
  const which = named.length === 0 ? '' : `: ${named.join(', ')}${more}`;
  throw unsent(
    'check',
    'paid_before',
    `${rows === 0 ? 'no row' : counted(rows, 'row')} of "${run.name}" ${rows > 1 ? 'were' : 'was'} paid before this run${which}${number === undefined ? '' : `; you said ${thousands(number)}`}`,
    rows === 0
      ? 'leave the number out'
      : hint`look who paid them, and when. They are not paid again; to go on without them: ${{ give: 'accept_paid_before', value: String(rows) }}`,
  );
}

/** Exactly so many: a row that is found later is a new question. @throws Problem (check) */
export async function acceptPaidBefore(payruns: PayRuns, run: PayRun, number: number): Promise<void> {
  const { rows } = paidBefore(run, await payruns.found(run.id));
  refuseOtherNumber(run, { said: number, rows, named: [] });
  await payruns.acceptBefore(run.id, number);
}
