/** Payin method (collection) states and moves (docs/wire.md 11 and 14). */
import { type Move, moves, type Start, type StateInfo } from './state.ts';

interface PayinMethodStateInfo extends StateInfo {
  /** True where it had brought money in, if its transaction is funded at all. */
  brought: boolean;
}

export const payinMethodStates = {
  incomplete: {
    look: 'waiting',
    meaning: 'details are missing, such as a one-time code: the collection cannot start',
    terminal: false,
    can: ['edit', 'cancel'],
    brought: false,
  },
  initial: {
    look: 'waiting',
    meaning: 'all details are there; the collection starts',
    terminal: false,
    can: ['wait', 'cancel'],
    brought: false,
  },
  pending: {
    look: 'waiting',
    meaning: "started; the sender's money is awaited",
    terminal: false,
    can: ['wait', 'cancel'],
    brought: false,
  },
  success: {
    look: 'good',
    meaning: 'collected',
    terminal: false,
    finalWhen: 'the transaction is not cancelled afterwards',
    can: ['nothing'],
    brought: true,
  },
  processing: {
    look: 'waiting',
    meaning: 'money came in; the final confirmation is awaited',
    terminal: false,
    can: ['wait', 'cancel'],
    brought: true,
  },
  error: {
    look: 'bad',
    meaning: 'the collection failed and no money came in',
    terminal: false,
    can: ['edit', 'retry', 'cancel'],
    brought: false,
  },
  mispaid: {
    look: 'waiting',
    meaning: 'collected, but another amount than asked',
    terminal: false,
    finalWhen: 'the transaction is not cancelled afterwards',
    can: ['nothing'],
    brought: true,
  },
  canceled: {
    look: 'over',
    meaning: 'cancelled; money that was sent goes back to the sender',
    terminal: false,
    finalWhen: 'no money had come in',
    can: ['wait'],
    brought: true,
  },
  refunded: {
    look: 'good',
    meaning: 'the sender got the money back',
    terminal: true,
    can: ['nothing'],
    brought: true,
  },
  exception: {
    look: 'bad',
    meaning: 'something unexpected happened in the collection',
    terminal: false,
    can: ['contact_operator'],
    brought: false,
  },
} as const satisfies Record<string, PayinMethodStateInfo>;

export type PayinMethodState = keyof typeof payinMethodStates;

/** Returns the table's row of a state; undefined for a state that it does not know. */
export const payinMethodStateInfo = (state: string | null | undefined): PayinMethodStateInfo | undefined =>
  (payinMethodStates as Readonly<Record<string, PayinMethodStateInfo>>)[state ?? ''];

export type PayinMethodTrigger =
  /** A one-time code or another detail is asked for. */
  | 'need_details'
  | 'edit'
  | 'payin_start'
  /** Money came in, the provider has not confirmed it. */
  | 'payin_unconfirmed'
  | 'payin_paid'
  | 'payin_mispaid'
  | 'payin_failed'
  | 'retry'
  /** The service tries again by itself. */
  | 'retry_later'
  | 'cancel'
  | 'expire'
  | 'refund'
  | 'force_payin'
  | 'exception';

export type PayinMethodMove = Move<PayinMethodState, PayinMethodTrigger>;

export const payinMethodStarts: readonly Start<PayinMethodState>[] = [
  {
    when: 'complete',
    to: 'initial',
    basis: 'stated',
    rule: 'payin.create',
    says: 'All required details are there: the collection starts.',
    events: [],
  },
  {
    when: 'incomplete',
    to: 'incomplete',
    basis: 'stated',
    rule: 'payin.create-incomplete',
    says: 'Details are missing: the collection cannot start.',
    events: ['payin_method.incomplete'],
  },
];

export const payinMethodMoves: readonly PayinMethodMove[] = [
  ...moves(['initial', 'pending'], 'need_details', {
    to: 'incomplete',
    basis: 'assumed',
    rule: 'payin.need-details',
    says: 'The sender must act: a code was sent to the phone and must be handed in, or a detail is wrong.',
    events: ['payin_method.incomplete'],
  }),
  ...moves(['incomplete'], 'edit', {
    to: 'initial',
    basis: 'assumed',
    rule: 'payin.complete',
    says: 'The missing details were given: the collection starts.',
  }),
  ...moves(['initial', 'pending', 'error'], 'edit', {
    to: 'same',
    basis: 'assumed',
    rule: 'payin.edit',
    says: 'New details are used by the next try.',
  }),
  ...moves(['initial'], 'payin_start', {
    to: 'pending',
    basis: 'assumed',
    rule: 'payin.start',
    says: "The collection started; the sender's money is awaited.",
    events: ['payin_method.pending'],
  }),
  ...moves(['pending'], 'payin_unconfirmed', {
    to: 'processing',
    basis: 'assumed',
    rule: 'payin.unconfirmed',
    says: "Money came in and waits for the provider's confirmation.",
    events: ['payin_method.processing'],
  }),
  ...moves(['pending', 'processing'], 'payin_paid', {
    to: 'success',
    basis: 'assumed',
    rule: 'payin.paid',
    says: 'The right amount was collected.',
    events: ['payin_method.paid_in'],
  }),
  ...moves(['pending', 'processing'], 'payin_mispaid', {
    to: 'mispaid',
    basis: 'stated',
    rule: 'payin.mispaid',
    says: 'Another amount than asked was collected, where the provider permits that.',
    events: ['payin_method.mispaid'],
  }),
  ...moves(['initial', 'pending', 'processing'], 'payin_failed', {
    to: 'error',
    basis: 'assumed',
    rule: 'payin.failed',
    says: 'The try failed and no money came in.',
    events: ['payin_method.error'],
  }),
  ...moves(['error'], 'retry', {
    to: 'initial',
    basis: 'stated',
    rule: 'payin.retry',
    says: 'A failed collection, and only a failed one, can be tried again.',
  }),
  ...moves(['error'], 'retry_later', {
    to: 'initial',
    basis: 'assumed',
    rule: 'payin.retry-later',
    says: 'The provider took no collections (3x): the service tries again on the schedule of payouts.',
  }),
  ...moves(
    ['incomplete', 'initial', 'pending', 'processing', 'error', 'success', 'mispaid', 'exception'],
    'cancel',
    {
      to: 'canceled',
      basis: 'assumed',
      rule: 'payin.cancel',
      says: 'The collection is cancelled; money that was sent goes back.',
      events: ['payin_method.canceled'],
    },
  ),
  ...moves(['incomplete', 'initial', 'pending', 'error'], 'expire', {
    to: 'canceled',
    basis: 'stated',
    rule: 'payin.expire',
    says: 'Not paid within one hour of creation.',
    events: ['payin_method.canceled'],
  }),
  ...moves(['canceled'], 'refund', {
    to: 'refunded',
    basis: 'stated',
    rule: 'payin.refund',
    says: 'The sender got the money back.',
    events: ['payin_method.refunded'],
  }),
  ...moves(['incomplete', 'initial', 'pending', 'processing', 'error'], 'force_payin', {
    to: 'success',
    basis: 'stated',
    rule: 'payin.force',
    says: 'The sandbox was told to let the collection succeed.',
    events: ['payin_method.paid_in'],
  }),
  ...moves(['initial', 'pending', 'processing'], 'exception', {
    to: 'exception',
    basis: 'assumed',
    rule: 'payin.exception',
    says: 'Something unexpected happened; ask the operator.',
    events: ['payin_method.exception'],
  }),
];
