/** The sums of payouts in groups. */

import { amountText, money, percent, span } from '../../../core/amount-words.ts';
import { type Column, toCell, type View } from '../../../frame/terminal/view.ts';
import { costCells } from '../../../payments/cli/views/cost.ts';
import { summaryShape } from '../../shapes.ts';
import type { Summary, SummaryRow } from '../../summary/summary.ts';
import { groupName, NO_PAYMENT } from '../../summary/told.ts';

const BAR = 12;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** One that stands for anything at all is seen. */
export function barOf(count: number, most: number, width = BAR): string {
  if (count === 0 || most === 0) return '';
  const eighths = Math.max(1, Math.round((count / most) * width * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
}

const counts: readonly Column<SummaryRow>[] = (['payouts', 'funded', 'paid', 'refused'] as const).map(
  (name) => ({ name, right: true, get: (row) => toCell(row[name]) }),
);
const amounts: readonly Column<SummaryRow>[] = (['input_amount', 'refunded', 'net'] as const).map((name) => ({
  name,
  amount: true,
  currency: 'input_currency',
  get: (row) => amountText(row[name], row.input_currency),
}));

/** Columns that stay: a script may go by their places. */
const flat: readonly Column<SummaryRow>[] = [
  { name: 'group', get: (row) => row.group },
  { name: 'input_currency', get: (row) => row.input_currency },
  { name: 'output_currency', get: (row) => row.output_currency },
  ...counts,
  ...amounts,
  {
    name: 'output_amount',
    amount: true,
    currency: 'output_currency',
    get: (row) => amountText(row.output_amount, row.output_currency),
  },
  { name: 'first_try', amount: true, get: (row) => row.first_try },
  { name: 'median_seconds', amount: true, get: (row) => toCell(row.median_seconds) },
  { name: 'direction', get: (row) => row.direction },
  ...costCells<SummaryRow>((row) => row.input_currency),
];

const table: readonly Column<SummaryRow>[] = [
  { name: 'group', priority: 0, least: 20, get: groupName },
  { name: 'payouts', right: true, priority: 0, get: (row) => toCell(row.payouts) },
  {
    name: 'cost',
    right: true,
    priority: 1,
    get: (row) => money(row.input_amount, row.input_currency),
    apart: ['input_amount', 'input_currency'],
  },
  { name: 'refunded', right: true, priority: 4, get: (row) => amountText(row.refunded, row.input_currency) },
  {
    name: 'margin_amount',
    head: 'MARGIN',
    right: true,
    priority: 3,
    get: (row) => amountText(row.margin_amount, row.input_currency),
  },
  { name: 'rate', right: true, priority: 4, get: (row) => row.rate },
  {
    name: 'fee_amount',
    head: 'FEES',
    right: true,
    priority: 7,
    get: (row) => amountText(row.fee_amount, row.input_currency),
  },
  { name: 'paid', right: true, priority: 3, get: (row) => toCell(row.paid) },
  {
    name: 'arrived',
    right: true,
    priority: 2,
    get: (row) => money(row.output_amount, row.output_currency),
    apart: ['output_amount', 'output_currency'],
  },
  { name: 'first_try', right: true, priority: 5, get: (row) => percent(row.first_try) },
  {
    name: 'median_seconds',
    head: 'MEDIAN TIME',
    right: true,
    priority: 6,
    get: (row) => (row.median_seconds === null ? null : span(row.median_seconds * 1_000)),
  },
  { name: 'direction', priority: 1, get: (row) => row.direction },
];

export const summaryView: View<SummaryRow> = {
  shape: summaryShape,
  empty: NO_PAYMENT,
  totalsBy: ['direction'],
  columns: table,
  flat,
};

/** On a terminal, with a bar in text for how many payouts there are. */
export function barView({ rows }: Pick<Summary, 'rows'>): View<SummaryRow> {
  const most = Math.max(0, ...rows.map(({ payouts }) => payouts));
  const bar: Column<SummaryRow> = {
    name: 'bar',
    head: '',
    priority: 2,
    get: ({ payouts }) => barOf(payouts, most),
  };
  const [group, count, ...rest] = table as [Column<SummaryRow>, Column<SummaryRow>];
  return { ...summaryView, columns: [group, count, bar, ...rest] };
}
