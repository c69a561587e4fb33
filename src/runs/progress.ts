/** How far a run is: counted from the news of its rows while it is paid, and by state while it is watched. */
import { add } from '../core/money.ts';
import type { MaskLevel } from '../payments/words/mask.ts';
import { rowsAbout, type ShownRow, shownRow } from './run-output.ts';
import {
  type PayRow,
  type PayRun,
  type PayRuns,
  ROW_STATES,
  type RowNews,
  type RowStateInfo,
  type RowSum,
  rowStates,
} from './store/port.ts';

export interface PaidCount {
  name: string;
  rows: number;
  /** Rows that were paid for, and rows that had any end, before this began. */
  paidBefore: number;
  endedBefore: number;
  done: number;
  refused: number;
  unknown: number;
  spent: Readonly<Record<string, string>>;
}

export interface PaidCounter {
  count(): PaidCount;
  /** Counts a row, and answers how it is shown now. */
  onRow(row: PayRow, news: RowNews): () => ShownRow;
}

export async function countPaid(payruns: PayRuns, run: PayRun, mask: MaskLevel): Promise<PaidCounter> {
  const { id, name, rows } = run;
  const about = rowsAbout(run, mask);
  const sums = await payruns.sums(id);
  const before = (fits: (info: RowStateInfo) => boolean): number =>
    sums.reduce((all, sum) => all + (fits(rowStates[sum.state]) ? sum.rows : 0), 0);
  const paidBefore = before(({ takesMoney }) => takesMoney);
  const endedBefore = before(({ open }) => !open);
  const unknown = new Set<number>();
  const spent: Record<string, string> = {};
  let done = 0;
  let refused = 0;
  return {
    count: () => ({ name, rows, paidBefore, endedBefore, done, refused, unknown: unknown.size, spent }),
    onRow(row, news) {
      if (news.state === 'unknown') unknown.add(row.n);
      else unknown.delete(row.n);
      if (news.state === 'refused') refused += 1;
      if (news.state !== undefined && rowStates[news.state].takesMoney) done += 1;
      // A payment by another user, or from elsewhere, is none of the cost here.
      if (news.cost !== undefined && (news.found === undefined || news.found === 'otherwise'))
        spent[row.inputCurrency] = add(spent[row.inputCurrency] ?? '0', news.cost);
      return () => shownRow(rowAfter(row, news), about);
    },
  };
}

const rowAfter = (row: PayRow, { state = row.state, ...news }: RowNews): PayRow => ({
  ...row,
  ...news,
  state,
});

/** How many rows are in each state that occurs, in the order in which states are shown. */
export type RowsByState = readonly (readonly [state: string, rows: number])[];

export const rowsByState = (sums: readonly RowSum[]): RowsByState =>
  ROW_STATES.flatMap((state) => {
    const rows = sums.reduce((all, sum) => all + (sum.state === state ? sum.rows : 0), 0);
    return rows > 0 ? [[state, rows] as const] : [];
  });
