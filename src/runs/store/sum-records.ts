/** Sums over rows of runs, as both engines answer them. */

import type { FoundSum, FoundWhere, RowState, RowSum } from './port.ts';
import { decimal, type PayrunRecord } from './records.ts';

export function readSum(row: PayrunRecord): RowSum {
  const currency = String(row.currency);
  const inputCurrency = String(row.input_currency);
  return {
    state: row.state as RowState,
    type: String(row.type),
    currency,
    inputCurrency,
    rows: Number(row.rows),
    amount: decimal(row.amount, currency),
    estimate: decimal(row.estimate, inputCurrency),
    cost: decimal(row.cost, inputCurrency),
    arrives: decimal(row.arrives, currency),
  };
}

/** Columns that sum up the rows of one run that were found: few of them, along an index of their own. */
export const FOUND_SUMS = `found, state, input_currency, count(*) AS rows, CAST(COALESCE(sum(cost), 0) AS text) AS cost,
  CAST(sum(estimate) AS text) AS estimate`;
export const FOUND_SUM_KEY = 'found, state, input_currency';

export function readFoundSum(row: PayrunRecord): FoundSum {
  const inputCurrency = String(row.input_currency);
  return {
    found: row.found as FoundWhere,
    state: row.state as RowState,
    inputCurrency,
    rows: Number(row.rows),
    cost: decimal(row.cost, inputCurrency),
    estimate: decimal(row.estimate, inputCurrency),
  };
}
