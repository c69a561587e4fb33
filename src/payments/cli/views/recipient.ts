import { directionOf } from '../../../contract/direction.ts';
import type { ProofOfPayment } from '../../../contract/resources/document.ts';
import type { Recipient } from '../../../contract/resources/transaction.ts';
import { isCalledOff } from '../../../contract/states/money.ts';
import { recipientStateInfo } from '../../../contract/states/recipient.ts';
import { amountText, money } from '../../../core/amount-words.ts';
import type { DataOf } from '../../../frame/shape.ts';
import { type DetailLine, toCell, type View } from '../../../frame/terminal/view.ts';
import { type Beside, settlementOfPayout } from '../../cases/settlement.ts';
import { whoMustAct } from '../../cases/standing.ts';
import type { Story } from '../../cases/story.ts';
import { NO_PROOF } from '../../cases/told.ts';
import { proofFileShape, proofShape, recipientShape } from '../../shapes/payments.ts';
import { lookOf } from '../../words/looks.ts';
import { fullName, payoutAccountOf } from '../../words/person.ts';
import { reasonOf } from '../../words/reason.ts';

export const recipientView: View<Recipient> = {
  shape: recipientShape,
  empty: 'no recipients',
  columns: [
    { name: 'id', id: true, priority: 2, get: (row) => row.id },
    { name: 'state', state: lookOf, get: (row) => row.state },
    { name: 'name', priority: 1, least: 10, get: (row) => fullName(row.payout_method?.details) },
    {
      name: 'output',
      right: true,
      priority: 1,
      get: (row) => money(row.output_amount, row.output_currency),
      apart: ['output_amount', 'output_currency'],
    },
    { name: 'type', priority: 5, get: (row) => row.payout_method?.type },
    {
      name: 'account',
      priority: 2,
      least: 8,
      keepsEnd: 8,
      get: (row) => payoutAccountOf(row.payout_method?.details),
    },
    { name: 'reason', priority: 3, least: 14, get: (row) => reasonOf(row) },
    { name: 'transaction_id', head: 'PAYMENT', priority: 6, id: true, get: (row) => row.transaction_id },
    {
      name: 'external_id',
      priority: 4,
      least: 12,
      get: (row) => row.transaction_external_id ?? row.external_id,
    },
    { name: 'created_at', head: 'CREATED', priority: 2, least: 10, time: true, get: (row) => row.created_at },
  ],
  flat: [
    { name: 'id', get: (row) => row.id },
    { name: 'transaction_id', get: (row) => row.transaction_id },
    { name: 'external_id', get: (row) => row.transaction_external_id ?? row.external_id },
    { name: 'state', get: (row) => row.state },
    { name: 'name', get: (row) => fullName(row.payout_method?.details) },
    { name: 'type', get: (row) => row.payout_method?.type },
    { name: 'account', get: (row) => payoutAccountOf(row.payout_method?.details) },
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
    { name: 'reason_code', get: (row) => row.state_reason_details?.code },
    { name: 'created_at', time: true, get: (row) => row.created_at },
  ],
  details: (row) => recipientLines(row),
};

const fromBooks = (row: Beside<Recipient>) => row.from_books;

/** Scripts may go by the places of columns: what came later stands at the end. */
export const listedRecipientView: View<Recipient> = {
  ...recipientView,
  also: ['direction'],
  totalsBy: ['state', 'direction'],
  added: (row) => ({ direction: directionOf(row) }),
  flat: [
    ...(recipientView.flat ?? []),
    {
      name: 'refunded_amount',
      amount: true,
      currency: 'input_currency',
      get: (row) => amountText(settlementOfPayout(row).refunded_amount, row.input_currency),
    },
    {
      name: 'net_amount',
      amount: true,
      currency: 'input_currency',
      get: (row) => amountText(settlementOfPayout(row).net_amount, row.input_currency),
    },
    { name: 'rate', amount: true, get: (row) => toCell(row.exchange_rate) },
    { name: 'paid_at', time: true, get: (row) => fromBooks(row)?.paid_at },
    { name: 'refunded_at', time: true, get: (row) => fromBooks(row)?.refunded_at },
    { name: 'direction', get: directionOf },
  ],
};

/** The most detailed tier of why it stands where it stands. */
export function recipientLines(row: Recipient & Partial<Story>, indent = false): DetailLine[] {
  const { standing } = row;
  const details = row.payout_method?.details ?? {};
  const line = (label: string, value: string | null | undefined, state?: typeof lookOf): DetailLine => [
    label,
    value,
    { state, indent },
  ];
  return [
    line('recipient', row.id),
    line('state', row.state, lookOf),
    line('which means', standing?.because ?? recipientStateInfo(row.state)?.meaning),
    line('reason', reasonOf(row)),
    line('who must act', actorOf(row, standing)),
    line('name', fullName(details)),
    line('payout to', [row.payout_method?.type, payoutAccountOf(details)].filter(Boolean).join('  ')),
    line('receives', money(row.output_amount, row.output_currency)),
    line('costs', money(row.input_amount, row.input_currency)),
    line('rate', toCell(row.exchange_rate)),
    line('can be edited', yesNo(row.editable)),
    line('can be cancelled', yesNo(row.may_cancel)),
    ...(indent
      ? []
      : [
          line('transaction', row.transaction_id),
          line('external id', row.transaction_external_id ?? row.external_id),
        ]),
    line('created', row.created_at),
  ];
}

/** A payout that has not started waits for its payment, whose own lines say for what. */
const actorOf = (row: Recipient, standing: Partial<Story>['standing']): string | null =>
  recipientStateInfo(row.state)?.turn === 'service' && standing === undefined && !isCalledOff(row.state)
    ? null
    : whoMustAct(row, standing);

const yesNo = (value: boolean | null | undefined): string | null =>
  value === null || value === undefined ? null : value ? 'yes' : 'no';

export const proofView: View<ProofOfPayment> = {
  shape: proofShape,
  empty: NO_PROOF,
  columns: [
    { name: 'id', id: true, get: (row) => row.id },
    { name: 'file_name', least: 12, get: (row) => row.file_name },
    { name: 'url', least: 20, get: (row) => row.url },
    { name: 'thumbnail', priority: 1, least: 12, get: (row) => row.thumbnail },
  ],
};

/** The outcome of one file that was to be downloaded. */
export type ProofFile = DataOf<typeof proofFileShape>;

export const proofFileView: View<ProofFile> = {
  shape: proofFileShape,
  empty: NO_PROOF,
  columns: [
    { name: 'path', get: (row) => row.path },
    { name: 'outcome', get: (row) => row.outcome },
    { name: 'bytes', right: true, priority: 1, get: (row) => toCell(row.bytes) },
    { name: 'id', priority: 2, get: (row) => row.id },
    { name: 'why', priority: 1, wrap: true, get: (row) => row.why },
  ],
};
