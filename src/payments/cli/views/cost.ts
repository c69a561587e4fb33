/** Columns of what payments cost beside their amounts: the same cells in every table that has them. */

import { amountText } from '../../../core/amount-words.ts';
import { type Column, toCell } from '../../../frame/terminal/view.ts';
import type { Costs } from '../../shapes/payments.ts';

/** @param currency the one that was paid in */
export const costCells = <Row extends Costs>(
  currency: (row: Row) => string | null,
): readonly Column<Row>[] => [
  { name: 'rate', amount: true, get: (row) => row.rate },
  { name: 'margin', amount: true, get: (row) => row.margin },
  { name: 'margin_amount', amount: true, get: (row) => amountText(row.margin_amount, currency(row)) },
  { name: 'margin_unknown', amount: true, get: (row) => toCell(row.margin_unknown) },
  { name: 'fee_amount', amount: true, get: (row) => amountText(row.fee_amount, currency(row)) },
];
