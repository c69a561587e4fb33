/** Moves of transactions between their states (docs/wire.md 14). */
import { type Move, moves, type Start } from './state.ts';
import type { TransactionState } from './transaction.ts';

export type TransactionTrigger =
  | 'sender_approved'
  /** Funded from the internal balance, by a debit or by create_and_fund. */
  | 'fund'
  /** The money of a collection came in, and waits to clear. */
  | 'payin_pending'
  | 'payin_paid'
  | 'payin_mispaid'
  /** The money that waited to clear did not come after all. */
  | 'payin_failed'
  | 'review_start'
  | 'review_end'
  /** A recipient gave up: tries ran out. */
  | 'too_many_tries'
  /** No recipient needs people any more: payouts go on. */
  | 'retry'
  /** Every recipient is paid. */
  | 'all_paid'
  /** Every recipient has ended, some paid and some refunded. */
  | 'partly_refunded'
  /** Every recipient was cancelled, none paid. */
  | 'cancel'
  | 'expire'
  | 'auto_refund'
  /** The refund must be done by people: funded by a payin, not from a balance. */
  | 'refund_by_hand'
  /** All the money was returned. */
  | 'refund'
  | 'force_payout'
  | 'exception';

export type TransactionMove = Move<TransactionState, TransactionTrigger>;

export const transactionStarts: readonly Start<TransactionState>[] = [
  {
    when: 'sender_approved',
    to: 'approved',
    basis: 'stated',
    rule: 'transaction.create-approved',
    says: 'Created for an approved sender: it can be funded at once.',
    events: ['transaction.created'],
  },
  {
    when: 'sender_not_approved',
    to: 'initial',
    basis: 'stated',
    rule: 'transaction.create-initial',
    says: 'Created while the sender is not approved: it waits for that.',
    events: ['transaction.created'],
  },
];

export const transactionMoves: readonly TransactionMove[] = [
  ...moves(['initial'], 'sender_approved', {
    to: 'approved',
    basis: 'stated',
    rule: 'transaction.sender-approved',
    says: 'Once the sender is approved the transaction can be funded.',
    events: ['transaction.approved'],
  }),
  ...moves(['approved'], 'fund', {
    to: 'received',
    basis: 'assumed',
    rule: 'transaction.fund',
    says: 'Funded from the internal balance; payouts start immediately.',
  }),
  ...moves(['approved'], 'payin_pending', {
    to: 'pending',
    basis: 'assumed',
    rule: 'transaction.payin-pending',
    says: "The sender's money was collected and waits to clear: the hour to fund does not end it.",
  }),
  ...moves(['approved', 'pending'], 'payin_paid', {
    to: 'received',
    basis: 'assumed',
    rule: 'transaction.payin-paid',
    says: 'The right amount was collected; payouts start.',
    events: ['transaction.paid_in'],
  }),
  ...moves(['approved', 'pending'], 'payin_mispaid', {
    to: 'mispaid',
    basis: 'stated',
    rule: 'transaction.payin-mispaid',
    says: 'A wrong amount was collected where the provider permits that: resized, and paid out.',
    events: ['transaction.mispaid'],
  }),
  ...moves(['pending'], 'payin_failed', {
    to: 'approved',
    basis: 'assumed',
    rule: 'transaction.payin-failed',
    says: 'The money that waited to clear did not come: funds are awaited again, for the rest of the hour.',
  }),
  ...moves(['received', 'mispaid'], 'review_start', {
    to: 'processing',
    basis: 'assumed',
    rule: 'transaction.review-start',
    says: 'Compliance looks at a funded transaction before it is paid out.',
  }),
  ...moves(['processing'], 'review_end', {
    to: 'received',
    basis: 'assumed',
    rule: 'transaction.review-end',
    says: 'Compliance lets the transaction go on, within 24 hours.',
  }),
  ...moves(['received', 'mispaid'], 'too_many_tries', {
    to: 'manual',
    basis: 'assumed',
    rule: 'transaction.too-many-tries',
    says: 'A recipient failed too often: a person must act.',
  }),
  ...moves(['manual', 'exception'], 'retry', {
    to: 'received',
    basis: 'assumed',
    rule: 'transaction.retry',
    says: 'No recipient needs a person any more; payouts continue.',
  }),
  ...moves(['received'], 'all_paid', {
    to: 'paid',
    basis: 'stated',
    rule: 'transaction.all-paid',
    says: 'Every recipient was paid.',
    events: ['transaction.paid_out'],
  }),
  ...moves(['mispaid', 'manual', 'exception'], 'all_paid', {
    to: 'paid',
    basis: 'assumed',
    rule: 'transaction.all-paid-late',
    says: 'Every recipient was paid, after a wrong amount or after trouble.',
    events: ['transaction.paid_out'],
  }),
  ...moves(['received', 'mispaid', 'processing', 'manual', 'exception'], 'partly_refunded', {
    to: 'refunded',
    basis: 'stated',
    rule: 'transaction.partly-refunded',
    says: 'Some recipients were paid, and the money of the others was returned.',
    events: ['transaction.refunded'],
  }),
  ...moves(['initial', 'approved'], 'cancel', {
    to: 'canceled',
    basis: 'assumed',
    rule: 'transaction.cancel-unfunded',
    says: 'Every recipient was cancelled before funding; it can no longer be funded.',
    events: ['transaction.canceled'],
  }),
  ...moves(['pending', 'received', 'mispaid', 'processing', 'manual', 'exception'], 'cancel', {
    to: 'canceled',
    basis: 'stated',
    rule: 'transaction.cancel-funded',
    says: 'Every recipient was cancelled after funding; the refund follows.',
  }),
  ...moves(['initial', 'approved'], 'expire', {
    to: 'canceled',
    basis: 'stated',
    rule: 'transaction.expire',
    says: 'No funds within one hour of creation: cancelled, and no funds are accepted afterwards.',
    events: ['transaction.canceled'],
  }),
  ...moves(['received', 'mispaid', 'processing', 'manual', 'exception'], 'auto_refund', {
    to: 'canceled',
    basis: 'stated',
    rule: 'transaction.auto-refund',
    says: 'Not paid within 24 hours of funding: cancelled, then refunded.',
  }),
  ...moves(['canceled'], 'refund_by_hand', {
    to: 'manual',
    basis: 'assumed',
    rule: 'transaction.refund-by-hand',
    says: 'The operator refunds by hand what did not come from a balance.',
  }),
  ...moves(['canceled'], 'refund', {
    to: 'refunded',
    basis: 'stated',
    rule: 'transaction.refund',
    says: 'The money of a cancelled transaction was returned.',
    events: ['transaction.refunded'],
  }),
  ...moves(['manual'], 'refund', {
    to: 'refunded',
    basis: 'assumed',
    rule: 'transaction.refund-done-by-hand',
    says: 'The operator returned the money by hand.',
    events: ['transaction.refunded'],
  }),
  ...moves(['received', 'mispaid', 'processing', 'manual'], 'force_payout', {
    to: 'paid',
    basis: 'stated',
    rule: 'transaction.force-payout',
    says: 'The sandbox was told to let a funded, unpaid transaction succeed.',
    events: ['transaction.paid_out'],
  }),
  ...moves(['initial', 'approved', 'pending', 'processing', 'received', 'mispaid', 'manual'], 'exception', {
    to: 'exception',
    basis: 'assumed',
    rule: 'transaction.exception',
    says: 'Something unexpected happened; the operator must look.',
    events: ['transaction.exception'],
  }),
];
