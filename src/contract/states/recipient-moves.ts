/** Moves of recipients between their states (docs/wire.md 14). */
import type { RecipientState } from './recipient.ts';
import { type Move, moves, type Start } from './state.ts';

export type RecipientTrigger =
  /** The payout must wait until its recipient has signed a mandate. */
  | 'await_mandate'
  /** The payout is handed to the provider. */
  | 'payout_start'
  | 'payout_paid'
  | 'payout_failed'
  /** No answer of the provider in time. */
  | 'payout_unanswered'
  /** More was paid than asked. */
  | 'payout_overpaid'
  /** The next try of a failed payout. */
  | 'retry'
  | 'too_many_tries'
  | 'edit'
  /** DELETE where it takes effect at once (`may_cancel`). */
  | 'cancel'
  /** DELETE where the provider's answer decides. */
  | 'request_cancel'
  /** The provider confirmed that it did not pay, and a cancel was asked for or is due. */
  | 'cancel_confirmed'
  | 'refund'
  | 'expire'
  | 'auto_refund'
  | 'force_payout'
  | 'exception';

export type RecipientMove = Move<RecipientState, RecipientTrigger>;

export const recipientStarts: readonly Start<RecipientState>[] = [
  {
    when: 'created',
    to: 'initial',
    basis: 'stated',
    rule: 'recipient.create',
    says: 'Created with its transaction; the payout starts once that is funded.',
    events: [],
  },
];

export const recipientMoves: readonly RecipientMove[] = [
  ...moves(['initial', 'error', 'manual'], 'await_mandate', {
    to: 'same',
    basis: 'assumed',
    rule: 'recipient.await-mandate',
    says: 'The payout needs a mandate that is not signed yet: it is not handed over, and can still be cancelled.',
  }),
  ...moves(['initial'], 'payout_start', {
    to: 'pending',
    basis: 'assumed',
    rule: 'recipient.start',
    says: 'Once the transaction is funded the payout starts and waits for the provider.',
    events: ['recipient.pending'],
  }),
  ...moves(['error', 'manual'], 'retry', {
    to: 'pending',
    basis: 'assumed',
    rule: 'recipient.retry',
    says: 'A failed payout is handed to the provider again.',
  }),
  ...moves(['exception'], 'retry', {
    to: 'pending',
    basis: 'assumed',
    rule: 'recipient.resume',
    says: 'After the operator looked at an exception the payout is tried again.',
  }),
  ...moves(['error'], 'payout_paid', {
    to: 'success',
    basis: 'stated',
    rule: 'recipient.retry-paid',
    says: 'A later try of a failed payout succeeds.',
    events: ['recipient.paid_out'],
  }),
  ...moves(['pending', 'stuck', 'exception'], 'payout_paid', {
    to: 'success',
    basis: 'assumed',
    rule: 'recipient.paid',
    says: 'The provider confirms that the recipient was paid; this wins over a cancel that was asked for meanwhile.',
    events: ['recipient.paid_out'],
  }),
  ...moves(['initial', 'pending', 'error', 'manual', 'stuck'], 'payout_failed', {
    to: 'error',
    basis: 'stated',
    rule: 'recipient.failed',
    says: 'The payout fails at the provider; it is tried again until it succeeds or is cancelled.',
    events: ['recipient.error'],
  }),
  ...moves(['pending'], 'payout_unanswered', {
    to: 'stuck',
    basis: 'assumed',
    rule: 'recipient.unanswered',
    says: 'The provider gave no answer in time.',
  }),
  ...moves(['pending', 'stuck'], 'payout_overpaid', {
    to: 'overpaid',
    basis: 'assumed',
    rule: 'recipient.overpaid',
    says: 'The provider paid more than was asked.',
    events: ['recipient.paid_out'],
  }),
  ...moves(['error'], 'too_many_tries', {
    to: 'manual',
    basis: 'assumed',
    rule: 'recipient.too-many-tries',
    says: 'After ten failed tries of a transaction with `auto_refund` the service stops and people must look; the control can ask for it at any time.',
  }),
  ...moves(['error'], 'edit', {
    to: 'same',
    basis: 'stated',
    rule: 'recipient.edit',
    says: 'Later tries use the new details.',
  }),
  ...moves(['pending'], 'edit', {
    to: 'same',
    basis: 'stated',
    rule: 'recipient.edit-pending',
    says: 'While the payout is with the provider, new details are used only if this try fails.',
  }),
  ...moves(['initial'], 'edit', {
    to: 'same',
    basis: 'assumed',
    rule: 'recipient.edit-early',
    says: 'Details can be changed before the payout starts.',
  }),
  ...moves(['manual'], 'edit', {
    to: 'error',
    basis: 'assumed',
    rule: 'recipient.edit-manual',
    says: 'New details set the tries going again.',
  }),
  ...moves(['initial', 'error', 'manual', 'pending', 'stuck', 'exception'], 'cancel', {
    to: 'canceled',
    basis: 'stated',
    rule: 'recipient.cancel',
    says: 'A recipient that may be cancelled (`may_cancel`; cash always) is cancelled at once.',
  }),
  ...moves(['pending', 'stuck', 'exception'], 'request_cancel', {
    to: 'same',
    basis: 'stated',
    rule: 'recipient.request-cancel',
    says: 'The request is kept; it takes effect only if the provider confirms that the payment failed.',
  }),
  ...moves(['pending', 'stuck', 'exception', 'error'], 'cancel_confirmed', {
    to: 'canceled',
    basis: 'stated',
    rule: 'recipient.cancel-confirmed',
    says: 'The provider confirms that the payment failed, and the cancel that was waiting takes effect.',
  }),
  ...moves(['initial'], 'expire', {
    to: 'canceled',
    basis: 'stated',
    rule: 'recipient.expire',
    says: 'The transaction was not funded within one hour.',
  }),
  ...moves(['initial', 'error', 'manual'], 'auto_refund', {
    to: 'canceled',
    basis: 'stated',
    rule: 'recipient.auto-refund',
    says: 'Not paid within 24 hours of funding: cancelled; a pending payout waits for the provider first.',
  }),
  ...moves(['canceled'], 'refund', {
    to: 'refunded',
    basis: 'assumed',
    rule: 'recipient.refund',
    says: 'The money for a cancelled recipient of a funded transaction is returned.',
    events: ['recipient.refunded'],
  }),
  ...moves(['initial', 'pending', 'error', 'manual', 'stuck', 'exception'], 'force_payout', {
    to: 'success',
    basis: 'stated',
    rule: 'recipient.force-payout',
    says: 'The sandbox was told to let the funded payout succeed.',
    events: ['recipient.paid_out'],
  }),
  ...moves(['initial', 'pending', 'error', 'manual', 'stuck'], 'exception', {
    to: 'exception',
    basis: 'assumed',
    rule: 'recipient.exception',
    says: 'Something unexpected happened; the operator must look.',
  }),
];
