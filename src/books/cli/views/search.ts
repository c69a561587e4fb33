/** Payouts that were found in the books, one row for each recipient that fits, with its own facts and what it was found by. */

import { directionOf } from '../../../contract/direction.ts';
import { recipientStateInfo } from '../../../contract/states/recipient.ts';
import { amountText, money } from '../../../core/amount-words.ts';
import type { Column, View } from '../../../frame/terminal/view.ts';
import { foundShape } from '../../../payments/shapes/payments.ts';
import { lookOf } from '../../../payments/words/looks.ts';
import { fullName, payoutAccountOf } from '../../../payments/words/person.ts';
import type { FoundRow } from '../../found-row.ts';

const senderName = ({ sender }: FoundRow): string => fullName(sender);
const paymentId = (row: FoundRow) => row.transaction_external_id ?? row.external_id;

const SENDER: Column<FoundRow> = {
  name: 'sender',
  priority: 1,
  least: 10,
  get: (row) => (row.by_sender ? senderName(row) : null),
};

const columns: readonly Column<FoundRow>[] = [
  { name: 'id', id: true, priority: 2, get: (row) => row.id },
  {
    name: 'state',
    state: lookOf,
    get: (row) => row.state,
    brief: (state) => recipientStateInfo(state)?.words ?? state,
    look: ({ state }) => recipientStateInfo(state)?.look,
  },
  { name: 'name', priority: 1, least: 10, get: (row) => fullName(row.payout_method?.details) },
  {
    name: 'account',
    priority: 1,
    least: 8,
    keepsEnd: 8,
    get: (row) => payoutAccountOf(row.payout_method?.details),
  },
  {
    name: 'output',
    right: true,
    priority: 1,
    get: (row) => money(row.output_amount, row.output_currency),
    apart: ['output_amount', 'output_currency'],
  },
  { name: 'external_id', priority: 3, least: 12, get: paymentId },
  { name: 'created_at', head: 'CREATED', priority: 2, least: 10, time: true, get: (row) => row.created_at },
  { name: 'why', head: 'FOUND BY', priority: 3, least: 8, get: (row) => row.why },
  { name: 'direction', priority: 5, get: directionOf },
];

export const foundView: View<FoundRow> = {
  shape: foundShape,
  empty: 'Nothing in the books fits every word.',
  totalsBy: ['state', 'direction'],
  added: (row) => ({
    direction: directionOf(row),
    state_words: recipientStateInfo(row.state)?.words ?? null,
  }),
  columns,
  flat: [
    ...columns.filter(({ name }) => name !== 'output' && name !== 'direction'),
    {
      name: 'output_amount',
      amount: true,
      currency: 'output_currency',
      get: (row) => amountText(row.output_amount, row.output_currency),
    },
    { name: 'output_currency', get: (row) => row.output_currency },
    { name: 'transaction_id', get: (row) => row.transaction_id },
    { name: 'sender', get: senderName },
    { name: 'state_words', get: (row) => recipientStateInfo(row.state)?.words },
    { name: 'direction', get: directionOf },
  ],
};

/** On a terminal there is a sender column if the search matched a sender. Scripts may go by the places of columns. */
export function foundViewOf(rows: readonly FoundRow[], onScreen: boolean): View<FoundRow> {
  if (!onScreen) return { ...foundView, columns: [...columns, { ...SENDER, get: senderName }] };
  if (!rows.some((row) => row.by_sender)) return foundView;
  const named = columns.map((one) => (one.name === 'why' ? { ...one, priority: 1 } : one));
  return { ...foundView, columns: [...named.slice(0, 3), SENDER, ...named.slice(3)] };
}
