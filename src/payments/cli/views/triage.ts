import { amountText, money, span } from '../../../core/amount-words.ts';
import type { DataOf } from '../../../frame/shape.ts';
import { type Column, toCell, type View } from '../../../frame/terminal/view.ts';
import type { NextAct } from '../../cases/next-action.ts';
import type { Troubled as Story } from '../../cases/triage.ts';
import { triageDoneShape, triageShape } from '../../shapes/payments.ts';
import { lookOf } from '../../words/looks.ts';
import { fullName, payoutAccountOf } from '../../words/person.ts';
import { reasonOf } from '../../words/reason.ts';

const CAN = { edit: 'edit', cancel: 'cancel', request_cancel: 'ask to cancel' } as const;

const age = ({ standing }: Story): string | null =>
  standing.age_seconds === null ? null : span(standing.age_seconds * 1000);

/** At the earliest: funding may have come up to an hour after the creation. */
function refundIn({ standing }: Story): string | null {
  const left = standing.refund_in_seconds;
  if (left === null) return null;
  return left.latest === 0 ? 'due' : span(left.earliest * 1000);
}

/** By which the partner knows the payment. */
const referenceOf = (row: Story) => row.transaction_external_id ?? row.external_id;

/** Without who must act: the board has a heading for that. */
export const boardColumns: readonly Column<Story>[] = [
  { name: 'id', id: true, priority: 2, get: (row) => row.id },
  { name: 'state', state: lookOf, priority: 2, get: (row) => row.state },
  { name: 'age', right: true, priority: 4, get: age },
  {
    name: 'amount',
    right: true,
    priority: 1,
    get: (row) => money(row.output_amount, row.output_currency),
    apart: ['output_amount', 'output_currency'],
  },
  { name: 'name', priority: 1, least: 10, get: (row) => fullName(row.payout_method?.details) },
  { name: 'refund_in', right: true, priority: 2, get: refundIn },
  { name: 'sender', priority: 3, least: 10, get: (row) => fullName(row.sender) },
  { name: 'external_id', head: 'REFERENCE', priority: 3, least: 12, get: referenceOf },
  { name: 'can', priority: 6, get: ({ standing }) => standing.can.map((one) => CAN[one]).join(', ') },
  { name: 'reason', priority: 4, least: 14, get: reasonOf },
  {
    name: 'account',
    priority: 5,
    least: 8,
    keepsEnd: 8,
    get: (row) => payoutAccountOf(row.payout_method?.details),
  },
];

/** A short text: the column stands between the id and the state. */
const ACT: Readonly<Record<NextAct, string>> = {
  edit: 'edit',
  cancel: 'cancel',
  ask: 'ask operator',
  wait: 'wait',
};

const who: Column<Story> = {
  name: 'act',
  head: 'WHO ACTS',
  priority: 1,
  get: ({ standing }) => (standing.act === null ? 'nobody' : ACT[standing.act]),
};

export const triageView: View<Story> = {
  shape: triageShape,
  empty: 'no recipient needs anyone',
  // A list asks for no sender that the books do not have, so that the column would look empty.
  columns: [
    ...boardColumns.slice(0, 1),
    who,
    ...boardColumns.slice(1).filter(({ name }) => name !== 'sender'),
  ],
  flat: [
    { name: 'act', get: ({ standing }) => standing.act },
    { name: 'id', get: (row) => row.id },
    { name: 'transaction_id', get: (row) => row.transaction_id },
    { name: 'external_id', get: referenceOf },
    { name: 'state', get: (row) => row.state },
    { name: 'reason_code', get: (row) => row.state_reason_details?.code },
    { name: 'age_seconds', amount: true, get: ({ standing }) => toCell(standing.age_seconds) },
    {
      name: 'output_amount',
      amount: true,
      currency: 'output_currency',
      get: (row) => amountText(row.output_amount, row.output_currency),
    },
    { name: 'output_currency', get: (row) => row.output_currency },
    {
      name: 'refund_in_seconds',
      amount: true,
      get: ({ standing }) => toCell(standing.refund_in_seconds?.earliest),
    },
    { name: 'can', get: ({ standing }) => standing.can.join(' ') },
    { name: 'created_at', time: true, get: (row) => row.created_at },
  ],
};

/** An act at the board, one row each, with the command that does the same in a script. */
export type Done = DataOf<typeof triageDoneShape>;

export const doneView: View<Done> = {
  shape: triageDoneShape,
  empty: 'nothing was done',
  columns: [
    { name: 'recipient_id', head: 'RECIPIENT', id: true, get: (row) => row.recipient_id },
    { name: 'action', get: (row) => row.action },
    { name: 'outcome', get: (row) => row.outcome },
    { name: 'command', priority: 1, wrap: true, get: (row) => row.command },
  ],
};
