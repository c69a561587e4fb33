/** The rows of a pay run: in a table, on their own, and as CSV. */

import { money } from '../../../core/amount-words.ts';
import type { DetailLine, View } from '../../../frame/terminal/view.ts';
import { lookOf, stateWords } from '../../../payments/words/looks.ts';
import { holderWords } from '../../payees.ts';
import { reportColumns } from '../../report.ts';
import { plannedWords } from '../../run-lines.ts';
import type { ShownRow } from '../../run-output.ts';
import { runRowShape } from '../../shapes.ts';

/** Returns the cost of a row. For a row of unknown outcome, money may have been taken. */
const costWords = ({ state, cost, input_currency: currency }: ShownRow): string | null =>
  cost !== null
    ? money(cost, currency)
    : state === 'unknown' || state === 'sending'
      ? 'not known'
      : 'nothing was taken';

const FOUND: Readonly<Record<NonNullable<ShownRow['found']>, string>> = {
  before: 'before this run, and not by it',
  elsewhere: 'elsewhere, under an id of this run',
  otherwise: 'by this run, and otherwise than it asked',
};

const CHANGED: Readonly<Record<NonNullable<ShownRow['payee_changed']>, string>> = {
  account: 'CHANGED: last paid at another account',
  owner: 'CHANGED: somebody else was paid at this account',
  'account and owner': 'CHANGED: last paid at another account, and somebody else was paid at this one',
};

const accountWords = ({ account, account_is: is, transaction_id: id }: ShownRow): string | null =>
  account !== null && is === 'asked' && id !== null
    ? `${account}, as asked: the service did not show it`
    : account;

const elsewhereWords = ({ changed_elsewhere_at: at }: ShownRow): string | null =>
  at === null ? null : `THE ACCOUNT WAS CHANGED ELSEWHERE: seen at ${at}`;

/** Why a row is what it is: that it was paid elsewhere, or to an account that no edit of this journal gave. */
const whyOrFound = (row: ShownRow): string | null =>
  [row.why ?? (row.found === null ? null : `paid ${FOUND[row.found]}`), elsewhereWords(row)]
    .filter((words) => words !== null)
    .join('; ') || null;

const correctedWords = ({ corrected, corrected_by: by, corrected_at: at }: ShownRow): string | null =>
  corrected === null ? null : `${corrected}, by ${by}, at ${at}`;

const shownWhere = (label: string, value: string | null): DetailLine[] =>
  value === null ? [] : [[label, value, { wrap: true }]];

export const rowView: View<ShownRow> = {
  shape: runRowShape,
  empty: 'No row is in this state.',
  totalsBy: ['state'],
  columns: [
    { name: 'row', right: true, priority: 1, get: ({ row }) => String(row) },
    { name: 'key', get: ({ key }) => key },
    { name: 'name', priority: 2, get: ({ name }) => name },
    { name: 'account', priority: 3, get: ({ account }) => account },
    { name: 'state', state: lookOf, get: ({ state }) => state, brief: stateWords },
    {
      name: 'amount',
      right: true,
      get: ({ amount, currency }) => money(amount, currency),
      apart: ['amount', 'currency'],
    },
    {
      name: 'cost',
      right: true,
      priority: 2,
      get: ({ cost, input_currency: currency }) => (cost === null ? null : money(cost, currency)),
      apart: ['cost', 'input_currency'],
    },
    { name: 'why', priority: 1, wrap: true, get: whyOrFound },
    { name: 'who_must_act', head: 'WHO MUST ACT', priority: 4, wrap: true, get: (row) => row.who_must_act },
    { name: 'type', priority: 5, get: ({ type }) => type },
    { name: 'transaction_id', head: 'TRANSACTION', id: true, priority: 6, get: (row) => row.transaction_id },
  ],
  details: (row) => [
    ['row', String(row.row)],
    ['key', row.key],
    ...shownWhere('name', row.name),
    ...shownWhere(row.state === 'paid' ? 'paid to' : 'account', accountWords(row)),
    ...shownWhere('asked for', row.asked_account),
    ...shownWhere('changed', elsewhereWords(row)),
    ...shownWhere('not known here', row.unknown_details),
    ...shownWhere('payee', row.payee_changed && CHANGED[row.payee_changed]),
    ...shownWhere('holder', row.holder_name && holderWords(row.holder_name, row.holder_asked_at)),
    ['state', stateWords(row.state), { state: lookOf }],
    ['corridor', row.type],
    ['amount', money(row.amount, row.currency)],
    ['cost', costWords(row)],
    ['planned', plannedWords(row)],
    ...shownWhere('paid', row.found && FOUND[row.found]),
    ...shownWhere('why', row.why === null || row.code === null ? row.why : `${row.why} (${row.code})`),
    ...shownWhere('who must act', row.who_must_act),
    ...shownWhere('corrected', correctedWords(row)),
    ['tries', String(row.tries)],
    ['external id', row.external_id],
    ...shownWhere('handed on to', row.handed_on_to),
    ...shownWhere('there as', row.handed_on_as),
    ...shownWhere('transaction', row.transaction_id),
    ...shownWhere('recipient', row.recipient_id),
    ...shownWhere('paid at', row.paid_at),
    ['updated', row.updated_at],
  ],
  flat: reportColumns,
};
