/** Where a row of a pay run stands, from what the service says of its transaction (docs/wire.md 8). The state decides, never a reason. */
import { isFunded } from '../client/funded.ts';
import type { Recipient, Transaction } from '../contract/resources/transaction.ts';
import {
  fundsOf,
  isBack,
  isCalledOff,
  isFailedPayout,
  isPaidOut,
  isUnpaid,
} from '../contract/states/money.ts';
import type { RowNews, RowState, ShownPayout } from './store/port.ts';

type Standing = Pick<Recipient, 'state'> | undefined;

/** Undefined where no money was taken for it yet: then there is nothing to say of the row. */
function stateOf(recipient: Standing, isPaidIn: boolean): RowState | undefined {
  const state = recipient?.state;
  if (isPaidOut(state)) return 'paid';
  if (isBack(state)) return 'refunded';
  if (isCalledOff(state)) return 'cancelled';
  if (!isPaidIn) return undefined;
  // An error is for people, and so is what is neither unpaid nor paid: stuck, or an exception.
  return state && (isFailedPayout(state) || !isUnpaid(state)) ? 'in_error' : 'created';
}

/** Returns the news to keep of a transaction that is one row. */
export function newsOf(transaction: Transaction): RowNews {
  const [recipient] = transaction.recipients ?? [];
  const state = stateOf(recipient, isFunded(transaction));
  return {
    transactionId: transaction.id ?? undefined,
    recipientId: recipient?.id ?? undefined,
    cost: transaction.input_amount ?? recipient?.input_amount ?? undefined,
    arrives: recipient && arrivesOf(recipient),
    ...(state === undefined ? {} : { state }),
    ...(state === 'in_error' ? reasonOf(recipient) : {}),
    shown: payoutIn(recipient),
  };
}

/** The same from a list of recipients. */
export function newsOfRecipient(recipient: Recipient): RowNews {
  const state = stateOf(recipient, fundsOf(recipient.transaction_state) !== 'no');
  return {
    transactionId: recipient.transaction_id ?? undefined,
    recipientId: recipient.id ?? undefined,
    cost: recipient.input_amount ?? undefined,
    arrives: arrivesOf(recipient),
    ...(state === undefined ? {} : { state }),
    ...(state === 'in_error' ? reasonOf(recipient) : {}),
    shown: payoutIn(recipient),
  };
}

function payoutIn(recipient: Recipient | undefined): ShownPayout | undefined {
  const { type, details } = recipient?.payout_method ?? {};
  return type == null || details == null ? undefined : { type, details };
}

/** Returns the service's word on the amount that was asked for, in the currency that it was asked for in. */
const arrivesOf = ({
  output_currency: output,
  requested_currency: requested,
  output_amount: arrives,
  requested_amount: asked,
}: Recipient): string | undefined => (output === requested ? arrives : asked) ?? undefined;

function reasonOf(recipient: Recipient | undefined): Pick<RowNews, 'code' | 'why'> {
  const { code, description } = recipient?.state_reason_details ?? {};
  return {
    code: code == null ? undefined : String(code),
    why: description ?? recipient?.state_reason ?? undefined,
  };
}

const ENDED: readonly RowState[] = ['paid', 'refunded'];

/** A record that is older than what is known changes nothing: an end stays. */
export function mayBecome(from: RowState, to: RowState): boolean {
  if (from === to || ENDED.includes(from)) return false;
  // The payment that the service has under its external id is not this run's.
  if (from === 'conflict' || from === 'handed_on') return false;
  if (from === 'cancelled') return to === 'refunded';
  // The service shows it: so it exists, whatever was thought before.
  return ['created', 'paid', 'in_error', 'refunded', 'cancelled'].includes(to);
}
