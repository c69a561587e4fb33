/** Pay runs: a run in a list. */

import { amountText, money, thousands } from '../../../core/amount-words.ts';
import { type DetailLine, toCell, type View } from '../../../frame/terminal/view.ts';
import { lookOf } from '../../../payments/words/looks.ts';
import type { Fault } from '../../../tables/row.ts';
import type { PayeeChange } from '../../diff.ts';
import type { ShownDivided } from '../../files/split-name.ts';
import type { ShownMapping } from '../../mappings.ts';
import { digestLines, standLines } from '../../run-lines.ts';
import type { ShownForgetting, ShownRun } from '../../run-output.ts';
import {
  dividedShape,
  faultShape,
  forgettingShape,
  mappingShape,
  payeeChangeShape,
  runShape,
} from '../../shapes.ts';

export const runView: View<ShownRun> = {
  shape: runShape,
  empty: 'No pay run yet: remit batch plan FILE --name NAME',
  columns: [
    { name: 'name', get: ({ name }) => name },
    { name: 'status', head: 'STATE', state: lookOf, get: ({ status }) => status },
    { name: 'rows', right: true, priority: 1, get: ({ rows }) => String(rows) },
    { name: 'created_at', head: 'CREATED', time: true, priority: 1, get: (row) => row.created_at },
    { name: 'profile', priority: 3, get: ({ profile }) => profile },
    { name: 'why', priority: 2, wrap: true, get: ({ why }) => why },
    { name: 'id', id: true, priority: 4, get: ({ id }) => id },
  ],
  details: (row) => [
    ['run', row.name],
    ['state', row.status, { state: lookOf }],
    ...(row.why === null ? [] : [['why', row.why, { wrap: true }] as DetailLine]),
    ['rows', thousands(row.rows)],
    ['planned by', row.planned_by],
    ['approved by', row.approved_by ?? 'nobody yet'],
    ...standLines(row),
    ...digestLines(row),
    ['created', row.created_at],
  ],
};

/** Runs that are forgotten, or would be, or are not over. */
export const forgettingView: View<ShownForgetting> = {
  shape: forgettingShape,
  empty: 'No run of this account was changed last before then.',
  columns: [
    { name: 'name', get: ({ name }) => name },
    { name: 'outcome', state: lookOf, get: ({ outcome }) => outcome },
    { name: 'rows', right: true, priority: 1, get: ({ rows }) => String(rows) },
    { name: 'why', priority: 1, wrap: true, get: ({ why }) => why },
    {
      name: 'last_change_at',
      head: 'LAST CHANGE',
      time: true,
      priority: 2,
      get: (row) => row.last_change_at,
    },
    { name: 'forgotten_at', head: 'FORGOTTEN', time: true, priority: 3, get: (row) => row.forgotten_at },
    { name: 'id', id: true, priority: 4, get: ({ id }) => id },
  ],
};

export const faultView: View<Fault> = {
  shape: faultShape,
  empty: 'nothing is wrong',
  columns: [
    { name: 'row', right: true, get: (one) => toCell(one.row) },
    { name: 'at', priority: 1, get: (one) => one.at },
    { name: 'column', get: (one) => one.column },
    { name: 'code', priority: 3, get: (one) => one.code },
    { name: 'words', head: 'WHAT IS WRONG', wrap: true, get: (one) => one.words },
    { name: 'right', head: 'WHAT IS RIGHT', priority: 2, wrap: true, get: (one) => one.right },
  ],
};

/** `25000.00 → 27000.00 NGN`; one where nothing was, or nothing is. */
const changed = (old: string | null, now: string | null): string | null =>
  old === null || now === null || old === now ? (now ?? old) : `${old} → ${now}`;

/** Payees of two lists. */
export const payeeChangeView: View<PayeeChange> = {
  shape: payeeChangeShape,
  empty: 'Nobody is new or gone, and nothing changed.',
  columns: [
    { name: 'changes', get: ({ changes }) => changes.join(', ') },
    { name: 'key', get: ({ key }) => key },
    { name: 'name', priority: 1, get: (row) => changed(row.old_name, row.name) },
    { name: 'account', priority: 1, get: (row) => changed(row.old_account, row.account) },
    {
      name: 'amount',
      right: true,
      get: (row) => changed(money(row.old_amount, row.old_currency), money(row.amount, row.currency)),
      apart: ['old_amount', 'old_currency', 'amount', 'currency'],
    },
    { name: 'type', priority: 2, get: (row) => changed(row.old_type, row.type) },
    { name: 'account_was_of', head: 'ACCOUNT WAS OF', priority: 2, get: (row) => row.account_was_of },
    { name: 'sender', priority: 3, get: (row) => changed(row.old_sender, row.sender) },
    {
      name: 'input_currency',
      head: 'PAID FROM',
      priority: 3,
      get: (row) => changed(row.old_input_currency, row.input_currency),
    },
    {
      name: 'external_id',
      head: 'EXTERNAL ID',
      priority: 4,
      get: (row) => changed(row.old_external_id, row.external_id),
    },
  ],
  flat: [
    { name: 'changes', get: ({ changes }) => changes.join(' ') },
    { name: 'key', get: ({ key }) => key },
    { name: 'name', get: ({ name }) => name },
    { name: 'account', get: ({ account }) => account },
    {
      name: 'amount',
      amount: true,
      currency: 'currency',
      get: ({ amount, currency }) => amountText(amount, currency),
    },
    { name: 'currency', get: ({ currency }) => currency },
    { name: 'type', get: ({ type }) => type },
    { name: 'sender', get: ({ sender }) => sender },
    { name: 'old_key', get: (row) => row.old_key },
    { name: 'old_name', get: (row) => row.old_name },
    { name: 'old_account', get: (row) => row.old_account },
    {
      name: 'old_amount',
      amount: true,
      currency: 'old_currency',
      get: (row) => amountText(row.old_amount, row.old_currency),
    },
    { name: 'old_currency', get: (row) => row.old_currency },
    { name: 'old_type', get: (row) => row.old_type },
    { name: 'old_sender', get: (row) => row.old_sender },
    { name: 'account_was_of', get: (row) => row.account_was_of },
    { name: 'input_currency', get: (row) => row.input_currency },
    { name: 'old_input_currency', get: (row) => row.old_input_currency },
    { name: 'external_id', get: (row) => row.external_id },
    { name: 'old_external_id', get: (row) => row.old_external_id },
  ],
};

const wordsOf = (mapping: ShownMapping): string =>
  mapping.columns.map(({ column, header }) => `${column}=${header}`).join(', ');

const whereEmpty = (mapping: ShownMapping): string =>
  mapping.where_empty.map(({ column, value }) => `${column}=${value}`).join(', ');

export const mappingView: View<ShownMapping> = {
  shape: mappingShape,
  empty: 'No mapping yet: remit batch map save NAME --map COLUMN=HEADER',
  columns: [
    { name: 'name', get: ({ name }) => name },
    { name: 'columns', wrap: true, get: wordsOf },
    { name: 'split_name', head: 'NAME DIVIDED', priority: 1, get: (row) => row.split_name },
    { name: 'decimal_comma', head: 'DECIMAL COMMA', priority: 2, get: (row) => toCell(row.decimal_comma) },
    { name: 'where_empty', head: 'WHERE EMPTY', priority: 1, wrap: true, get: whereEmpty },
  ],
  details: (row) => [
    ['mapping', row.name],
    ...row.columns.map(({ column, header }): DetailLine => [column, header]),
    ...(row.split_name === null ? [] : [['name divided', row.split_name] as DetailLine]),
    ...(row.decimal_comma ? [['decimals', 'behind a comma'] as DetailLine] : []),
    ...row.where_empty.map(({ column, value }): DetailLine => [`${column} where empty`, value]),
  ],
};

export const dividedView: View<ShownDivided> = {
  shape: dividedShape,
  empty: 'No name was divided.',
  columns: [
    { name: 'row', right: true, get: ({ row }) => String(row) },
    { name: 'at', priority: 1, get: ({ at }) => at },
    { name: 'name', get: ({ name }) => name },
    { name: 'first_name', head: 'FIRST NAME', get: (row) => row.first_name },
    { name: 'last_name', head: 'LAST NAME', get: (row) => row.last_name },
  ],
};
