/**
 * Where one payout stands, for the person who must answer for it: who has to act, what can be done now, how long until the
 * money goes back by itself, and what is true to tell the customer. The state decides; the reason explains and sorts
 * (docs/rules.md 4). Pure: the time is given.
 */
import { categoryInfo } from '../../contract/categories.ts';
import { codeInfo } from '../../contract/codes.ts';
import type { Recipient } from '../../contract/resources/transaction.ts';
import {
  isCalledOff,
  isEndedPayout,
  isPaidOut,
  isRefundedByItself,
  isUnpaid,
} from '../../contract/states/money.ts';
import { recipientStates } from '../../contract/states/recipient.ts';
import type { StateInfo } from '../../contract/states/state.ts';

/** What has to happen next: somebody edits, cancels, asks the operator, or everybody waits. */
export const acts = ['edit', 'cancel', 'ask', 'wait'] as const;
export type Act = (typeof acts)[number];
export const actWords: Readonly<Record<Act, string>> = {
  edit: 'edit the recipient',
  cancel: 'cancel',
  ask: 'ask the operator',
  wait: 'wait',
};

export type Possible = 'edit' | 'cancel' | 'request_cancel';

export interface Standing {
  /** Null where nothing is left to do, ever. */
  act: Act | null;
  /** Why, in one sentence: lower case, no full stop. */
  because: string;
  can: readonly Possible[];
  ageMs: number | null;
  /** Milliseconds until the automatic refund: between these two, since funding may come up to an hour after the creation. */
  refundInMs: { earliest: number; latest: number } | null;
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
}

export function standingOf(
  recipient: Recipient,
  now: number,
  { autoRefund = true, paidIn }: KnownOfPayment = {},
): Standing {
  const createdAt = Date.parse(recipient.created_at ?? '');
  const ageMs = Number.isNaN(createdAt) ? null : Math.max(0, now - createdAt);
  const isDead = recipient.state === 'canceled' && paidIn === false;
  const act = isDead ? null : actOf(recipient, ageMs ?? 0);
  return {
    act,
    because: isDead ? 'it was cancelled before it was paid in' : becauseOf(recipient),
    can: possible(recipient),
    ageMs,
    refundInMs: autoRefund && ageMs !== null ? refundIn(recipient, ageMs) : null,
    tell: recipient.state === 'canceled' ? TELL_CANCELED[`${paidIn}`] : tellOf(recipient),
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

const TELL: Readonly<Record<string, string>> = {
  initial: 'The payment has not started yet. Nothing has been paid out.',
  success: 'The payment was paid out.',
  overpaid: 'The payment was paid out. The amount is being checked with the payout partner.',
  refunded: 'The payment was cancelled and the money is back.',
  stuck:
    'The payout partner has not answered in time. We are finding out whether it was paid; please do not pay again.',
  exception: 'Something unexpected happened with the payout. We are finding out; please do not pay again.',
  pending: 'The payment is with the payout partner, and we wait for the answer.',
};

/** What to tell the customer of a cancelled payment depends on whether it was paid in. */
const TELL_CANCELED = {
  true: 'The payment is cancelled. The refund follows; we confirm it as soon as it is there.',
  false: 'The payment was cancelled before it was paid in; nothing was taken.',
  undefined:
    'The payment is cancelled. If it had been paid in, the refund follows; we confirm it as soon as it is there.',
};

const TELL_BY_REASON: Readonly<Record<string, string>> = {
  recipient_error:
    'The account could not be paid. Please check the name and the account number with the recipient; once we have the right ones the payment is tried again.',
  sender_error: 'This payment cannot be made. We can cancel it, and then the money goes back.',
  manual_reconciliation_required: 'The payout is being checked by hand. We come back to you.',
  recipient_action_required: 'The recipient has to act: collect the cash, or confirm.',
};

function tellOf(recipient: Recipient): string {
  const state = recipient.state ?? '';
  const byReason = isPaidOut(state) ? undefined : TELL_BY_REASON[categoryOf(recipient) ?? ''];
  if (state === 'error' || state === 'manual')
    return (
      byReason ??
      'The payout did not go through yet. It is tried again by itself; nothing has been paid out so far.'
    );
  if (state === 'pending') return byReason ?? (TELL.pending as string);
  return TELL[state] ?? 'We are looking into it.';
}
