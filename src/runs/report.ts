/** The report of a run: every row with what became of it. A column each, in a file for a spreadsheet. */
import type { ShownRow } from './run-output.ts';

/** Cells are texts; null where there is nothing. */
export interface ReportColumn {
  name: string;
  get(row: ShownRow): string | null;
  right?: boolean;
  /** A plain decimal. */
  amount?: boolean;
  /** The name of the column with its currency. */
  currency?: string;
  time?: boolean;
}

export const reportColumns: readonly ReportColumn[] = [
  { name: 'row', right: true, get: ({ row }) => String(row) },
  { name: 'key', get: ({ key }) => key },
  { name: 'name', get: ({ name }) => name },
  { name: 'account', get: ({ account }) => account },
  { name: 'state', get: ({ state }) => state },
  { name: 'type', get: ({ type }) => type },
  { name: 'amount', amount: true, currency: 'currency', get: ({ amount }) => amount },
  { name: 'currency', get: ({ currency }) => currency },
  { name: 'cost', amount: true, currency: 'input_currency', get: ({ cost }) => cost },
  { name: 'input_currency', get: (row) => row.input_currency },
  { name: 'code', get: ({ code }) => code },
  { name: 'why', get: ({ why }) => why },
  { name: 'who_must_act', get: (row) => row.who_must_act },
  { name: 'found', get: (row) => row.found },
  { name: 'external_id', get: (row) => row.external_id },
  { name: 'handed_on_to', get: (row) => row.handed_on_to },
  { name: 'handed_on_as', get: (row) => row.handed_on_as },
  { name: 'transaction_id', get: (row) => row.transaction_id },
  { name: 'recipient_id', get: (row) => row.recipient_id },
  { name: 'paid_at', time: true, get: (row) => row.paid_at },
  { name: 'payee_changed', get: (row) => row.payee_changed },
  { name: 'holder_name', get: (row) => row.holder_name },
  { name: 'holder_asked_at', time: true, get: (row) => row.holder_asked_at },
  { name: 'tries', right: true, get: ({ tries }) => String(tries) },
  { name: 'updated_at', time: true, get: (row) => row.updated_at },
  { name: 'planned_rate', amount: true, get: (row) => row.planned_rate },
  { name: 'paid_rate', amount: true, get: (row) => row.paid_rate },
  { name: 'planned_cost', amount: true, currency: 'input_currency', get: (row) => row.planned_cost },
  { name: 'cost_difference', amount: true, currency: 'input_currency', get: (row) => row.cost_difference },
  { name: 'corrected', get: (row) => row.corrected },
  { name: 'corrected_by', get: (row) => row.corrected_by },
  { name: 'corrected_at', time: true, get: (row) => row.corrected_at },
  { name: 'account_is', get: (row) => row.account_is },
  { name: 'asked_account', get: (row) => row.asked_account },
  { name: 'changed_elsewhere_at', time: true, get: (row) => row.changed_elsewhere_at },
];
