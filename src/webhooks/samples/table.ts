/**
 * How things stand when an event is sent, as the sandbox sends it (a test compares the members). Events of the operator's
 * side that the sandbox never sends have no row.
 */
import type { EventName } from '../../contract/events.ts';

/** A thing's state and, where it has one, the code of `state_reason_details`. */
export interface SampleState {
  state: string;
  code?: string;
}

export interface TransactionSample {
  of: 'transaction';
  state: string;
  reason?: string;
  recipient: SampleState;
  /** True where its input is paid. */
  funded: boolean;
  /** Present for a collection. */
  payin?: SampleState;
}

export interface RecipientSample extends SampleState {
  of: 'recipient';
  transactionState: string;
}

export type Sample =
  | TransactionSample
  | RecipientSample
  | ({ of: 'payin_method' } & SampleState)
  | { of: 'sender'; state: string; reason?: string }
  | { of: 'payout_method'; state: string }
  | { of: 'document' };

export type SampledEvent = Exclude<EventName, `transaction_request.${string}`>;

const CALLED_OFF = 'every recipient was cancelled';
const initial = { state: 'initial' };

export const samples: Readonly<Record<SampledEvent, Sample>> = {
  'document.created': { of: 'document' },
  'document.disabled': { of: 'document' },
  'payin_method.canceled': { of: 'payin_method', state: 'canceled' },
  'payin_method.error': { of: 'payin_method', state: 'error', code: '412' },
  'payin_method.exception': { of: 'payin_method', state: 'exception', code: '13' },
  'payin_method.incomplete': { of: 'payin_method', state: 'incomplete', code: '23' },
  'payin_method.mispaid': { of: 'payin_method', state: 'mispaid', code: '0' },
  'payin_method.paid_in': { of: 'payin_method', state: 'success', code: '0' },
  'payin_method.pending': { of: 'payin_method', state: 'pending', code: '14' },
  'payin_method.processing': { of: 'payin_method', state: 'processing', code: '1' },
  'payin_method.refunded': { of: 'payin_method', state: 'refunded' },
  'payout_method.created': { of: 'payout_method', state: 'enabled' },
  'payout_method.disabled': { of: 'payout_method', state: 'disabled' },
  'recipient.error': { of: 'recipient', state: 'error', code: '416', transactionState: 'received' },
  'recipient.paid_out': { of: 'recipient', state: 'success', code: '0', transactionState: 'received' },
  'recipient.pending': { of: 'recipient', state: 'pending', code: '14', transactionState: 'received' },
  'recipient.refunded': { of: 'recipient', state: 'refunded', code: '416', transactionState: 'canceled' },
  'sender.approved': { of: 'sender', state: 'approved' },
  'sender.created': { of: 'sender', state: 'initial' },
  'sender.disabled': { of: 'sender', state: 'disabled' },
  'sender.rejected': { of: 'sender', state: 'rejected', reason: 'rejected by the operator' },
  'transaction.approved': { of: 'transaction', state: 'approved', recipient: initial, funded: false },
  'transaction.canceled': {
    of: 'transaction',
    state: 'canceled',
    reason: CALLED_OFF,
    recipient: { state: 'canceled' },
    funded: false,
    payin: { state: 'canceled' },
  },
  'transaction.created': { of: 'transaction', state: 'initial', recipient: initial, funded: false },
  'transaction.exception': {
    of: 'transaction',
    state: 'exception',
    reason: 'something unexpected happened: ask the operator',
    recipient: initial,
    funded: true,
  },
  'transaction.mispaid': {
    of: 'transaction',
    state: 'mispaid',
    recipient: initial,
    funded: true,
    payin: { state: 'mispaid', code: '0' },
  },
  'transaction.paid_in': {
    of: 'transaction',
    state: 'received',
    recipient: initial,
    funded: true,
    payin: { state: 'success', code: '0' },
  },
  'transaction.paid_out': {
    of: 'transaction',
    state: 'paid',
    recipient: { state: 'success', code: '0' },
    funded: true,
  },
  'transaction.refunded': {
    of: 'transaction',
    state: 'refunded',
    reason: CALLED_OFF,
    recipient: { state: 'refunded', code: '416' },
    funded: true,
  },
};
