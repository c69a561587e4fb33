/** Rows of a run in the order of the file, some hundred at a time. */
import type { PayRow, PayRun, PayRuns, RowState } from '../../core/ports/payruns.ts';

const PAGE = 500;

/** @param states every row where none are said */
export async function* rowsIn(
  payruns: PayRuns,
  { id }: Pick<PayRun, 'id'>,
  states?: readonly RowState[],
): AsyncGenerator<PayRow[]> {
  for (let last: PayRow | undefined; ; ) {
    const page: PayRow[] = await payruns.rows(id, { states, after: last?.n, limit: PAGE });
    if (page.length === 0) return;
    yield page;
    last = page.at(-1);
  }
}
