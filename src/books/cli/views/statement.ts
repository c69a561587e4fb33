/** The lines of a statement, and what they come to. */

import { amountText, money, percent } from '../../../core/amount-words.ts';
import { type Column, toCell, type View } from '../../../frame/terminal/view.ts';
import { costCells } from '../../../payments/cli/views/cost.ts';
import { statementLineShape, statementTotalsShape } from '../../shapes.ts';
import type { Line } from '../../statement/lines.ts';
import type { StatementTotals } from '../../statement/statement.ts';
import { kindWords } from '../../statement/told.ts';

const amountOf = ({ amount, currency }: Line): string | null => amountText(amount, currency);
const balanceOf = ({ balance, currency }: Line): string | null => amountText(balance, currency);

/** `Ada Obi 25000 NGN at 1667.93; Ben Eze 120.00 GHS at 12.1`, where one movement pays several. */
function paidWords({ recipients }: Line): string | null {
  if (recipients === null) return null;
  return recipients
    .map((one) =>
      [one.name, money(one.output_amount, one.output_currency), one.rate && `at ${one.rate}`]
        .filter(Boolean)
        .join(' '),
    )
    .join('; ');
}

/** Returns the amounts that arrive: several currencies one behind the other. */
const outputOf = ({ recipients, output_amount: amount, output_currency: currency }: Line): string | null =>
  amount !== null || recipients === null
    ? money(amount, currency)
    : recipients.map((one) => money(one.output_amount, one.output_currency)).join(' + ');

const flat: readonly Column<Line>[] = [
  { name: 'at', time: true, get: (row) => row.at },
  { name: 'after', time: true, get: (row) => row.after },
  { name: 'kind', get: (row) => row.kind },
  { name: 'currency', get: (row) => row.currency },
  { name: 'amount', amount: true, currency: 'currency', get: amountOf },
  { name: 'balance', amount: true, currency: 'currency', get: balanceOf },
  { name: 'transaction_id', get: (row) => row.transaction_id },
  { name: 'external_id', get: (row) => row.external_id },
  { name: 'recipient_id', get: (row) => row.recipient_id },
  { name: 'name', get: (row) => row.name },
  { name: 'reference', get: (row) => row.reference },
  { name: 'state', get: (row) => row.state },
  {
    name: 'input_amount',
    amount: true,
    currency: 'input_currency',
    get: (row) => amountText(row.input_amount, row.input_currency),
  },
  { name: 'input_currency', get: (row) => row.input_currency },
  {
    name: 'output_amount',
    amount: true,
    currency: 'output_currency',
    get: (row) => amountText(row.output_amount, row.output_currency),
  },
  { name: 'output_currency', get: (row) => row.output_currency },
  { name: 'rate', amount: true, get: (row) => row.rate },
  { name: 'margin', amount: true, get: (row) => row.margin },
  {
    name: 'margin_amount',
    amount: true,
    currency: 'input_currency',
    get: (row) => amountText(row.margin_amount, row.input_currency),
  },
  { name: 'recipients', get: paidWords },
  { name: 'direction', get: (row) => row.direction },
  { name: 'corrects', get: (row) => row.corrects },
];

export const lineView: View<Line> = {
  shape: statementLineShape,
  columns: [
    { name: 'at', time: true, priority: 0, get: (row) => row.at },
    { name: 'kind', priority: 0, get: kindWords },
    { name: 'transaction_id', head: 'ID', id: true, priority: 2, get: (row) => row.transaction_id },
    { name: 'name', priority: 3, least: 10, get: (row) => row.name },
    { name: 'amount', right: true, amount: true, currency: 'currency', priority: 0, get: amountOf },
    { name: 'balance', right: true, amount: true, currency: 'currency', priority: 0, get: balanceOf },
    { name: 'currency', priority: 0, get: (row) => row.currency },
    {
      name: 'output',
      right: true,
      priority: 4,
      get: outputOf,
      apart: ['output_amount', 'output_currency'],
    },
    { name: 'rate', right: true, priority: 5, get: (row) => row.rate },
    { name: 'margin', right: true, priority: 6, get: (row) => percent(row.margin) },
  ],
  flat,
};

/** Follows the order of a statement, with what may go first where the terminal is narrow. */
const TOTALS = [
  ['opening', 0],
  ['gross', 2],
  ['refunded', 3],
  ['net', 1],
  ['collected', 6],
  ['corrected', 8],
  ['unexplained', 4],
  ['closing', 0],
  ['difference', 5],
] as const;

export const totalsView: View<StatementTotals> = {
  shape: statementTotalsShape,
  columns: [
    { name: 'currency', priority: 0, get: (row) => row.currency },
    ...TOTALS.map(([name, priority]) => ({
      name,
      right: true,
      amount: true,
      currency: 'currency',
      priority,
      get: (row: StatementTotals) => amountText(row[name], row.currency),
    })),
    { name: 'movements', right: true, priority: 7, get: (row) => toCell(row.movements) },
    { name: 'first_seen', head: 'FIRST SEEN', time: true, priority: 9, get: (row) => row.first_seen },
    ...costCells<StatementTotals>((row) => row.currency).map((cell, at) => ({
      ...cell,
      right: true,
      priority: cell.name === 'margin_amount' ? 6 : 10 + at,
    })),
  ],
};
