/**
 * Where one payout stands, for the person who must answer for it: who has to act, what can be done now, how long until the
 * money goes back by itself, and what is true to tell the customer. The state decides; the reason explains and sorts
 * (docs/rules.md 4). Pure: the time is given.
 */
import { categoryInfo } from '../../contract/categories.ts';
import { codeInfo } from '../../contract/codes.ts';
import type { Recipient } from '../../contract/resources/transaction.ts';
import {
  isBack,
  isCalledOff,
  isEndedPayout,
  isPaidOut,
  isRefundedByItself,
  isUnpaid,
} from '../../contract/states/money.ts';
import { recipientStates } from '../../contract/states/recipient.ts';
import type { StateInfo } from '../../contract/states/state.ts';
import { money } from '../words/amount.ts';
import { span } from '../words/spans.ts';
import type { DoneBefore } from './done-before.ts';

/** What has to happen next: somebody edits, cancels, asks the operator, or everybody waits. */
export const acts = ['edit', 'cancel', 'ask', 'wait'] as const;
export type Act = (typeof acts)[number];
export const actWords: Readonly<Record<Act, string>> = {
  edit: 'edit the recipient',
  cancel: 'cancel',
  ask: 'ask the operator',
  wait: 'wait',
};

/** So long after an edit a payout that still reads as failed is likely to be tried again with the new details. */
const EDIT_COUNTS_MS = 3_600_000;

export type Possible = 'edit' | 'cancel' | 'request_cancel';

export type Awaited = 'edit' | 'cancel';

export interface Standing {
  /** Null where nothing is left to do, ever. */
  act: Act | null;
  /** Why, in one sentence: lower case, no full stop. */
  because: string;
  can: readonly Possible[];
  ageMs: number | null;
  /** Milliseconds until the automatic refund: between these two, since funding may come up to an hour after the creation. */
  refundInMs: { earliest: number; latest: number } | null;
  /** What was asked for from here, and is not answered yet. */
  awaiting: Awaited | null;
  /** What to tell the customer: whole sentences that are true. */
  tell: string;
}

const HOUR_MS = 3_600_000;
const REFUND_AFTER_MS = 24 * HOUR_MS;

export interface KnownOfPayment {
  /** False where the transaction said so; unknown counts as the service's own default, which is on. */
  autoRefund?: boolean;
  /** Whether anything was ever paid in for it; undefined where nobody can tell. */
  paidIn?: boolean | undefined;
  /** Who has the money when it comes back: our balance, or the sender who paid it in; undefined where nobody can tell. */
  paidBy?: 'balance' | 'sender' | undefined;
  before?: DoneBefore;
}

export function standingOf(recipient: Recipient, now: number, known: KnownOfPayment = {}): Standing {
  const { autoRefund = true, paidIn, before = {} } = known;
  const createdAt = Date.parse(recipient.created_at ?? '');
  const ageMs = Number.isNaN(createdAt) ? null : Math.max(0, now - createdAt);
  const isDead = recipient.state === 'canceled' && paidIn === false;
  const under = underWay(recipient, before);
  const act = isDead ? null : under === undefined ? actOf(recipient, ageMs ?? 0) : 'wait';
  return {
    act,
    because: isDead ? 'it was cancelled before it was paid in' : (under?.because ?? becauseOf(recipient)),
    can: possible(recipient).filter((one) => one !== under?.done),
    ageMs,
    refundInMs: autoRefund && ageMs !== null ? refundIn(recipient, ageMs) : null,
    awaiting: under?.awaiting ?? null,
    tell: under?.tell ?? tellOf(recipient, known),
  };
}

interface UnderWay {
  awaiting: Awaited;
  because: string;
  tell: string;
  /** What need not be done again. */
  done?: Possible;
}

/** What was asked before and is not answered yet: doing it again would change nothing. */
function underWay(recipient: Recipient, { cancelRequestedMs, editedMs }: DoneBefore): UnderWay | undefined {
  const { state } = recipient;
  if (!isUnpaid(state)) return undefined;
  if (cancelRequestedMs !== undefined && recipient.may_cancel === false)
    return {
      awaiting: 'cancel',
      because: `cancellation requested ${span(cancelRequestedMs)} ago; the provider has not answered yet`,
      tell: 'We have asked to cancel the payment and wait for the answer. It may still be paid out.',
      done: 'request_cancel',
    };
  const isTriedAgain =
    (state === 'error' || state === 'manual') && (editedMs ?? EDIT_COUNTS_MS) < EDIT_COUNTS_MS;
  if (!isTriedAgain) return undefined;
  return {
    awaiting: 'edit',
    because: `edited ${span(editedMs ?? 0)} ago; the next try uses the new details`,
    tell: 'We have corrected the details. The payment is tried again; nothing has been paid out so far.',
  };
}

function actOf(recipient: Recipient, ageMs: number): Act | null {
  const state = recipient.state ?? '';
  if (isEndedPayout(state)) return null;
  if (state === 'stuck' || state === 'exception' || state === 'overpaid') return 'ask';
  const wanted = wantedBy(categoryOf(recipient));
  if (state === 'error') return reachable(recipient, wanted);
  if (state === 'manual') return reachable(recipient, wanted === 'wait' ? 'ask' : wanted);
  if (state === 'pending') return wanted === 'ask' || ageMs > REFUND_AFTER_MS ? 'ask' : 'wait';
  return 'wait';
}

/** What helps against the reason. */
function wantedBy(category: string | undefined): Act {
  switch (category) {
    case 'recipient_error':
      return 'edit';
    case 'sender_error':
      return 'cancel';
    case 'manual_reconciliation_required':
      return 'ask';
    default:
      return 'wait';
  }
}

/** What helps but is not allowed is no advice. */
function reachable(recipient: Recipient, wanted: Act): Act {
  const can = possible(recipient);
  if (wanted === 'edit' && !can.includes('edit')) return can.includes('cancel') ? 'cancel' : 'ask';
  return wanted === 'cancel' && !can.includes('cancel') ? 'ask' : wanted;
}

export function categoryOf({ state_reason_details: details }: Recipient): string | undefined {
  const code = details?.code;
  if (!code || code === '0') return undefined;
  return codeInfo(code)?.category ?? categoryInfo(details?.category ?? '')?.name;
}

/** `editable` and `may_cancel` are the service's word; where it is silent the state's table is. */
function possible(recipient: Recipient): Possible[] {
  const state = recipient.state ?? '';
  if (isPaidOut(state) || isCalledOff(state)) return [];
  const known: readonly string[] = (recipientStates as Record<string, StateInfo>)[state]?.can ?? [];
  const edit = recipient.editable ?? (known.includes('edit') || state === 'pending');
  const cancel = recipient.may_cancel ?? known.includes('cancel');
  return [...(edit ? (['edit'] as const) : []), cancel ? 'cancel' : 'request_cancel'];
}

function refundIn({ state, transaction_state: of }: Recipient, ageMs: number): Standing['refundInMs'] {
  if (!isUnpaid(state) || (of !== undefined && of !== null && !isRefundedByItself(of))) return null;
  if (state === 'initial' && !of) return null;
  return {
    earliest: Math.max(0, REFUND_AFTER_MS - ageMs),
    latest: Math.max(0, REFUND_AFTER_MS + HOUR_MS - ageMs),
  };
}

function becauseOf({ state }: Recipient): string {
  return (recipientStates as Record<string, StateInfo>)[state ?? '']?.meaning ?? `its state is ${state}`;
}

/** Said by the partner's support to the partner's customer, who sent the money. */
const TELL: Readonly<Record<string, string>> = {
  initial: 'The payment has not started yet. Nothing has been paid out.',
  stuck:
    'The bank or mobile operator has not answered in time. We are finding out whether the payment arrived. Please do not pay again.',
  exception: 'Something went wrong with the payment. We are finding out. Please do not pay again.',
  pending: 'The payment is with the bank or mobile operator. We wait for the answer.',
};

const TELL_BY_REASON: Readonly<Record<string, string>> = {
  recipient_error:
    'The account could not be paid. Please check the name and the account number with the recipient. Once we have the right ones, the payment is tried again.',
  sender_error: 'This payment cannot be made. We can cancel it and refund you.',
  manual_reconciliation_required: 'The payment is being checked by hand. We come back to you.',
  recipient_action_required: 'The recipient has to act: collect the cash, or confirm.',
};

const NOT_YET = 'The payment did not go through yet. It is tried again; nothing has been paid out so far.';

function tellOf(recipient: Recipient, known: KnownOfPayment): string {
  const state = recipient.state ?? '';
  if (isPaidOut(state)) return tellPaid(recipient);
  if (isCalledOff(state)) return tellCancelled(recipient, known);
  const byReason = TELL_BY_REASON[categoryOf(recipient) ?? ''];
  if (state === 'error' || state === 'manual') return byReason ?? NOT_YET;
  if (state === 'pending') return byReason ?? (TELL.pending as string);
  return TELL[state] ?? 'We are looking into it.';
}

function tellPaid({ state, output_amount: amount, output_currency: currency }: Recipient): string {
  const paid = `${money(amount, currency) ?? 'The payment'} was paid out.`;
  return state === 'overpaid' ? `${paid} The amount is being checked.` : paid;
}

/** Where the money is decides what is promised: in our balance, with the sender, or still at the service. */
function tellCancelled(recipient: Recipient, { paidIn, paidBy }: KnownOfPayment): string {
  const { state, input_amount: amount, input_currency: currency } = recipient;
  const sum = money(amount, currency) ?? 'The money';
  if (isBack(state)) {
    if (paidBy === 'balance')
      return `The payment was cancelled. ${sum} is back in our account; your refund is on its way.`;
    if (paidBy === 'sender') return `The payment was cancelled. ${sum} was sent back to you.`;
    return `The payment was cancelled and ${sum} was refunded to the account that paid it. We confirm your refund.`;
  }
  if (paidIn === false) return 'The payment was cancelled before it was paid. Nothing was taken.';
  const refund = 'Your refund follows; we confirm it as soon as it is made.';
  return paidIn === true
    ? `The payment is cancelled. ${refund}`
    : `The payment is cancelled. If you had paid for it: ${refund.charAt(0).toLowerCase()}${refund.slice(1)}`;
}
