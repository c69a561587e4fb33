/** Rows of a run in the order of the file, some hundred at a time. */

import { usage } from '../core/problem.ts';
import type { LocalColumns } from '../payments/desk.ts';
import type { MaskLevel } from '../payments/words/mask.ts';
import { rowsAbout, type ShownRow, shownRow } from './run-output.ts';
import {
  type PayRow,
  type PayRun,
  type PayRuns,
  ROW_STATES,
  type RowState,
  rowStates,
} from './store/port.ts';

export { ROW_STATES };

const PAGE = 500;

/** @param states every row where none are given */
export async function* rowsIn(
  payruns: PayRuns,
  { id }: Pick<PayRun, 'id'>,
  states: readonly RowState[] = [],
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<PayRow[]> {
  let left = limit;
  for (let last: PayRow | undefined; left > 0; ) {
    const page: PayRow[] = await payruns.rows(id, {
      states: states.length === 0 ? undefined : states,
      after: last?.n,
      limit: Math.min(PAGE, left),
    });
    if (page.length === 0) return;
    yield page;
    left -= page.length;
    last = page.at(-1);
  }
}

/** The same, as they are shown. @param beside the books, which know when a row was paid out */
export async function* shownRowsIn(
  { mask, beside }: { mask: MaskLevel; beside: LocalColumns | undefined },
  payruns: PayRuns,
  run: PayRun,
  ...asked: [states?: readonly RowState[], limit?: number]
): AsyncGenerator<ShownRow[]> {
  const about = rowsAbout(run, mask);
  for await (const page of rowsIn(payruns, run, ...asked)) {
    const paid = await beside?.paidAt(page.flatMap(({ transactionId: id }) => id ?? []));
    yield page.map((row) => shownRow(row, about, paid?.get(row.transactionId ?? '')));
  }
}

export async function countIn(payruns: PayRuns, run: PayRun, states: readonly RowState[]): Promise<number> {
  const sums = await payruns.sums(run.id);
  return sums.reduce(
    (all, { state, rows }) => all + (states.length === 0 || states.includes(state) ? rows : 0),
    0,
  );
}

/** True where a row is still to be sent or settled: else there is nothing to ask. */
export const hasOpenRows = async (payruns: PayRuns, { id }: Pick<PayRun, 'id'>): Promise<boolean> =>
  (await payruns.sums(id)).some(({ state, rows }) => rows > 0 && rowStates[state].open);

/** Reads a state as a person writes it. @throws Problem (usage) */
export function rowStateOf(given: string): RowState {
  const state = ROW_STATES.find((one) => one === given.toLowerCase().replaceAll('-', '_'));
  if (state === undefined) throw usage(`a row has no state "${given}"`, ROW_STATES.join(', '));
  return state;
}
