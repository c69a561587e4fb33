/**
 * The remaining rows of a run are those for which surely nothing was paid. The store may be an old copy, or
 * one of two, so the service is asked about each row. A row keeps its external id while no transaction has
 * it, so that the service refuses a second payment, wherever the row is paid; where its transaction ended
 * without paying, it gets `ID~2`, counted up from the service's records. A row that has a payment after all
 * is not left.
 */
import { isDead } from '../client/funded.ts';
import type { Transaction } from '../contract/resources/transaction.ts';
import { hint } from '../core/next.ts';
import { refuse } from '../core/problem.ts';
import type { Desk } from '../payments/desk.ts';
import { freeId } from '../payments/next-id.ts';
import { refuseAltered } from './altered.ts';
import { finder } from './finder.ts';
import { refuseForgottenRun } from './forgotten.ts';
import { planOf } from './plan-text.ts';
import { rowsIn } from './rows-in.ts';
import { newsOf } from './states.ts';
import { type PayRow, type PayRun, type PayRuns, type RowState, rowStates } from './store/port.ts';

/**
 * The states in which nothing was created for a row, or it was handed on. With `refunded` rows whose money is
 * back are left too.
 */
const LEFT: readonly RowState[] = ['planned', 'refused', 'cancelled', 'handed_on'];

export interface Left {
  n: number;
  key: string;
  /** Under which it is to be paid. */
  externalId: string;
  body: string;
}

export interface Remaining {
  left: Left[];
  /** The keys of rows for which the service has a payment, in the order of the file. */
  standing: string[];
}

export interface RemainingWish {
  refunded: boolean;
  /** Rows that were handed on to this file are in it again, under the same external ids. */
  file?: string | undefined;
}

/** @throws Problem (unknown) while the outcome of a row is not known, and what keeps the service from being asked */
export async function remainingRows(
  desk: Desk,
  payruns: PayRuns,
  run: PayRun,
  { refunded, file }: RemainingWish,
): Promise<Remaining> {
  refuseForgottenRun(run);
  await refuseUnknown(payruns, run);
  // An earlier version kept nothing to compare its rows with.
  if (planOf(run).windows !== undefined) await refuseAltered(payruns, run);
  const rows: PayRow[] = [];
  for await (const page of rowsIn(payruns, run, refunded ? [...LEFT, 'refunded'] : LEFT))
    rows.push(...page.filter((row) => isLeft(row, { refunded, file })));
  const find = await finder(await desk.client(), rows.filter(({ handed }) => handed === undefined).length);
  const found: Remaining = { left: [], standing: [] };
  for (const { n, key, body, externalId, handed } of rows) {
    const named = handed ? { externalId: handed.as } : await freeId(find, externalId, isUsedUp);
    if ('standing' in named && named.standing !== undefined) found.standing.push(key);
    else found.left.push({ n, key, body, externalId: named.externalId });
  }
  return found;
}

async function refuseUnknown(payruns: PayRuns, run: PayRun): Promise<void> {
  const open = (await payruns.sums(run.id))
    .filter(({ state }) => rowStates[state].unsure)
    .reduce((all, { rows }) => all + rows, 0);
  if (open > 0)
    throw refuse(
      'unknown',
      'rows_unknown',
      `of ${open} rows it is not known whether they were paid: they can be in no new file`,
      {
        hint: hint`first ${{ do: 'settle_run', name: run.name }}`,
        note: 'do not pay them by hand',
        outcome: 'unknown',
      },
    );
}

function isLeft({ state, transactionId, handed }: PayRow, { refunded, file }: RemainingWish): boolean {
  if (state === 'handed_on') return file !== undefined && handed?.file === file;
  return refunded || transactionId === undefined;
}

/** It ended without paying anybody: its external id names it for ever. */
function isUsedUp(found: Transaction): boolean {
  const { state } = newsOf(found);
  return isDead(found) || state === 'refunded' || state === 'cancelled';
}

/** Keys of those rows that the service has a payment of, or had one. */
export async function keysPaid(desk: Desk, rows: readonly PayRow[]): Promise<string[]> {
  const find = await finder(await desk.client(), rows.length);
  const known: string[] = [];
  for (const { key, externalId, handed } of rows)
    if ((await find(handed?.as ?? externalId)) !== undefined) known.push(key);
  return known;
}
