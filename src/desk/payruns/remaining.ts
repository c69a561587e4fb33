/**
 * What is left of a run, as a file that can be planned again: rows for which surely nothing was paid. A row of unknown outcome
 * is none of these, and as long as there is one, nothing is written.
 */
import { said } from '../../core/next.ts';
import type { PayRow, PayRun, PayRuns, RowState } from '../../core/ports/payruns.ts';
import { Problem } from '../../core/problem.ts';
import { externalIdOf } from './plan-text.ts';

/** Nothing was created for these. With `refunded` those too whose money is back. */
const NEVER: readonly RowState[] = ['planned', 'refused', 'cancelled'];

const PAGE = 500;

export interface Left {
  key: string;
  /** As the file had it; undefined where it was made of the run's name, or is used up. */
  externalId: string | undefined;
  body: string;
}

/** @throws Problem (unknown) while the outcome of a row is not known */
export async function* remainingRows(
  payruns: PayRuns,
  run: PayRun,
  { refunded }: { refunded: boolean },
): AsyncGenerator<Left[]> {
  const open = (await payruns.sums(run.id))
    .filter(({ state }) => state === 'unknown' || state === 'sending')
    .reduce((all, { rows }) => all + rows, 0);
  if (open > 0)
    throw new Problem({
      category: 'unknown',
      code: 'rows_unknown',
      message: `of ${open} rows it is not known whether they were paid: they can be in no new file`,
      hint: said`first ${{ do: 'settle_run', name: run.name }}`,
      outcome: 'unknown',
      outcomeNote: 'do not pay them by hand',
    });
  const states = refunded ? [...NEVER, 'refunded' as const] : NEVER;
  for (let last: PayRow | undefined; ; ) {
    const page: PayRow[] = await payruns.rows(run.id, { states, after: last?.n, limit: PAGE });
    if (page.length === 0) return;
    const left = page.filter(
      ({ state, transactionId }) => state === 'refunded' || transactionId === undefined,
    );
    yield left.map(({ key, externalId, transactionId, body }) => ({
      key,
      body,
      externalId:
        transactionId === undefined && externalId !== externalIdOf(run.name, key) ? externalId : undefined,
    }));
    last = page.at(-1);
  }
}
