/** Money in flight at the end of a day, and the balances by which it proves itself. */

import { amountText } from '../../../core/amount-words.ts';
import { toCell, type View } from '../../../frame/terminal/view.ts';
import { dayBalanceShape, inFlightShape } from '../../shapes.ts';
import type { DayBalance, InFlightRow } from '../../summary/in-flight.ts';
import { NONE_IN_FLIGHT } from '../../summary/in-flight-told.ts';

const words = (name: string): string => name.replaceAll('_', ' ');

export const inFlightView: View<InFlightRow> = {
  shape: inFlightShape,
  empty: NONE_IN_FLIGHT,
  columns: [
    { name: 'currency', priority: 0, get: (row) => row.currency },
    { name: 'kind', priority: 0, get: (row) => row.kind, brief: words },
    { name: 'source', priority: 3, get: (row) => row.source },
    { name: 'age', priority: 1, get: (row) => row.age, brief: words },
    { name: 'payouts', right: true, priority: 2, get: (row) => toCell(row.payouts) },
    {
      name: 'amount',
      right: true,
      amount: true,
      priority: 0,
      get: (row) => amountText(row.amount, row.currency),
    },
    { name: 'oldest_at', head: 'OLDEST', time: true, priority: 4, get: (row) => row.oldest_at },
  ],
};

/** Follows the order of a sum, with what may go first where the terminal is narrow. */
const SUMS = [
  ['came_in', 2],
  ['collected', 4],
  ['paid', 2],
  ['not_paid', 1],
  ['refund_due', 3],
  ['balance', 0],
  ['difference', 0],
] as const;

export const dayBalanceView: View<DayBalance> = {
  shape: dayBalanceShape,
  empty: 'The books have no balance.',
  columns: [
    { name: 'currency', priority: 0, get: (row) => row.currency },
    ...SUMS.map(([name, priority]) => ({
      name,
      right: true,
      amount: true,
      priority,
      get: (row: DayBalance) => amountText(row[name], row.currency),
    })),
  ],
};
