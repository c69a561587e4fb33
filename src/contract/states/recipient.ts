/** Recipient states, and all that each says by itself (docs/wire.md 14). */
import type { CodeGroup } from '../codes/row.ts';
import type { StateInfo } from './state.ts';

/** Where the money of one recipient is. */
export type Whereabouts =
  /** The payout is still to be made, or under way. */
  | 'unpaid'
  /** Unknown, or a person must look. */
  | 'unclear'
  | 'paid'
  /** Cancelled: it comes back where it had come in. */
  | 'called off'
  | 'back';

/** All that a state says by itself. A new state does not compile until each is said. */
export interface RecipientStateInfo extends StateInfo {
  /** One or two plain words, for a row of a table. */
  words: string;
  money: Whereabouts;
  /**
   * Tells whose turn it is. `provider`: the operator is asked where the answer does not come for a day. `reason`: the service goes on trying,
   * and the reason tells what helps.
   */
  turn: 'nobody' | 'service' | 'provider' | 'reason' | 'operator';
  /** Says when triage lists it: always, once it has lasted for long, or never. */
  triage: 'always' | 'when late' | 'never';
  /**
   * The sentences that are true to tell the partner's customer, who sent the money. `{amount}` is what the recipient
   * gets. The fate of a cancelled payment's money is told after it.
   */
  tell: string;
  /** Reasons that still speak here, and are told first: those of an earlier state do not (`codes.ts`). */
  hears: readonly CodeGroup[];
  /** The mark that the books keep of it; null while there is nothing to note. */
  mark: 'paid' | 'failed' | 'refund' | 'canceled' | null;
  /** True where the whole transaction waits for people (`manual`) until this recipient moved on. */
  stopsTransaction: boolean;
}

const AFTER_A_FAILURE = ['corrected', 'again', 'ended', 'signed'] as const;

export const recipientStates = {
  initial: {
    meaning: 'the payout has not started',
    words: 'not started',
    look: 'waiting',
    terminal: false,
    can: ['edit', 'cancel'],
    money: 'unpaid',
    turn: 'service',
    triage: 'never',
    tell: 'The payment has not started yet. Nothing has been paid out.',
    hears: ['signed'],
    mark: null,
    stopsTransaction: false,
  },
  pending: {
    meaning: 'the payout is with the provider and its answer is awaited',
    words: 'under way',
    look: 'waiting',
    terminal: false,
    can: ['wait', 'request_cancel'],
    money: 'unpaid',
    turn: 'provider',
    triage: 'when late',
    tell: 'The payment is with the bank or mobile operator. We wait for the answer.',
    hears: ['waits', 'signed'],
    mark: null,
    stopsTransaction: false,
  },
  success: {
    meaning: 'paid',
    words: 'paid',
    look: 'good',
    terminal: true,
    can: ['nothing'],
    money: 'paid',
    turn: 'nobody',
    triage: 'never',
    tell: '{amount} was paid out.',
    hears: [],
    mark: 'paid',
    stopsTransaction: false,
  },
  error: {
    meaning: 'the last try failed; the service tries again until it succeeds or is cancelled',
    words: 'failing',
    look: 'bad',
    terminal: false,
    can: ['wait', 'edit', 'cancel'],
    money: 'unpaid',
    turn: 'reason',
    triage: 'always',
    tell: 'The payment did not go through yet. It is tried again; nothing has been paid out so far.',
    hears: AFTER_A_FAILURE,
    mark: 'failed',
    stopsTransaction: false,
  },
  refunded: {
    meaning: 'cancelled, and the money was returned',
    words: 'refunded',
    look: 'good',
    terminal: true,
    can: ['nothing'],
    money: 'back',
    turn: 'nobody',
    triage: 'never',
    tell: 'The payment was cancelled.',
    hears: [],
    mark: 'refund',
    stopsTransaction: false,
  },
  manual: {
    meaning: 'too many tries failed and the service stopped trying',
    words: 'given up',
    look: 'bad',
    terminal: false,
    can: ['contact_operator', 'edit', 'cancel'],
    money: 'unpaid',
    turn: 'operator',
    triage: 'always',
    tell: 'The payment did not go through; nothing has been paid out so far. We are finding out what can be done, and come back to you.',
    hears: AFTER_A_FAILURE,
    mark: 'failed',
    stopsTransaction: true,
  },
  stuck: {
    meaning: 'the provider did not answer in time: it is unknown whether it was paid',
    words: 'not known',
    look: 'bad',
    terminal: false,
    can: ['contact_operator', 'request_cancel'],
    money: 'unclear',
    turn: 'operator',
    triage: 'always',
    tell: 'The bank or mobile operator has not answered in time. We are finding out whether the payment arrived. Please do not pay again.',
    hears: [],
    mark: null,
    stopsTransaction: false,
  },
  overpaid: {
    meaning: 'more was paid than was asked',
    words: 'overpaid',
    look: 'bad',
    terminal: true,
    can: ['contact_operator'],
    money: 'paid',
    turn: 'operator',
    triage: 'always',
    tell: 'More than {amount} was paid out. The amount is being checked.',
    hears: [],
    mark: 'paid',
    stopsTransaction: false,
  },
  canceled: {
    meaning: 'cancelled; if it was funded, the refund follows',
    words: 'cancelled',
    look: 'over',
    terminal: false,
    finalWhen: 'the transaction was never funded',
    can: ['wait'],
    money: 'called off',
    turn: 'service',
    triage: 'never',
    tell: 'The payment is cancelled.',
    hears: [],
    mark: 'canceled',
    stopsTransaction: false,
  },
  exception: {
    meaning: 'something unexpected happened in processing',
    words: 'in trouble',
    look: 'bad',
    terminal: false,
    can: ['contact_operator', 'request_cancel'],
    money: 'unclear',
    turn: 'operator',
    triage: 'always',
    tell: 'Something went wrong with the payment. We are finding out. Please do not pay again.',
    hears: [],
    mark: 'failed',
    stopsTransaction: true,
  },
} as const satisfies Record<string, RecipientStateInfo>;

export type RecipientState = keyof typeof recipientStates;

/** Returns the table's row of a state; undefined for a state that it does not know. */
export const recipientStateInfo = (state: string | null | undefined): RecipientStateInfo | undefined =>
  (recipientStates as Readonly<Record<string, RecipientStateInfo>>)[state ?? ''];

type State = string | null | undefined;

const may = (state: State, step: StateInfo['can'][number]): boolean =>
  recipientStateInfo(state)?.can.includes(step) ?? false;

/** The provider never had it, and no try failed. */
export const isNotStarted = (state: State): boolean => {
  const info = recipientStateInfo(state);
  return info?.money === 'unpaid' && info.turn === 'service';
};
/** The provider has it, and its answer is awaited. */
export const isUnderWay = (state: State): boolean => recipientStateInfo(state)?.turn === 'provider';
/** The last try failed, and the service goes on trying. */
export const isTriedAgain = (state: State): boolean => recipientStateInfo(state)?.turn === 'reason';
/** Open, and not with the provider: before the first try, or between two. A cancel takes effect at once. */
export const isWithService = (state: State): boolean => may(state, 'cancel');
/** Open, and only the provider's word can end it: a cancel is no more than asked for. */
export const isWithProvider = (state: State): boolean => may(state, 'request_cancel');
/** Details may be changed: before a try, after one, and during one for the next. */
export const isEditable = (state: State): boolean => may(state, 'edit') || isUnderWay(state);
