/**
 * Where one payout stands, for the person who must answer for it: who has to act, what can be done now, how long until the
 * money goes back by itself, and what is true to tell the customer. The state decides; the reason explains and sorts
 * (docs/rules.md 4). Pure: the time is given.
 */
import { categoryInfo } from '../../contract/categories.ts';
import type { CodeGroup } from '../../contract/codes/row.ts';
import { codeInfo } from '../../contract/codes.ts';
import type { Recipient } from '../../contract/resources/transaction.ts';
import { isBack, isCalledOff, isPaidOut, isRefundedByItself, isUnpaid } from '../../contract/states/money.ts';
import {
  isEditable,
  isNotStarted,
  isTriedAgain,
  isWithService,
  type RecipientStateInfo,
  recipientStateInfo,
  recipientStates,
} from '../../contract/states/recipient.ts';
import { transactionStateInfo } from '../../contract/states/transaction.ts';
import { money, span } from '../../core/amount-words.ts';
import { gt } from '../../core/money.ts';
import { askOperator, whoActs } from '../words/reason.ts';
import type { DoneBefore } from './done-before.ts';

/** The next act: a user edits, cancels or asks the operator, or everybody waits. */
export const nextActs = ['edit', 'cancel', 'ask', 'wait'] as const;
export type NextAct = (typeof nextActs)[number];
export const actWords: Readonly<Record<NextAct, string>> = {
  edit: 'edit the recipient',
  cancel: 'cancel',
  ask: 'ask the operator',
  wait: 'wait',
};

/**
 * The time after an edit in which a payout that still reads as failed is likely to be tried again with the
 * new details.
 */
const EDIT_COUNTS_MS = 3_600_000;

export type Possible = 'edit' | 'cancel' | 'request_cancel';

export type Awaited = 'edit' | 'cancel';

export interface NextAction {
  /** Null where nothing is left to do, ever. */
  act: NextAct | null;
  /** Why, in one sentence: lower case, no full stop. */
  because: string;
  can: readonly Possible[];
  ageMs: number | null;
  /** Milliseconds until the automatic refund: between these two, since funding may come up to an hour after the creation. */
  refundInMs: { earliest: number; latest: number } | null;
  /** The act that was asked for from here, and is not answered yet. */
  awaiting: Awaited | null;
  /** The sentences to tell the customer: whole ones that are true. */
  tell: string;
}

const HOUR_MS = 3_600_000;
const REFUND_AFTER_MS = 24 * HOUR_MS;

export interface KnownOfPayment {
  /** False where the transaction said so; unknown counts as the service's own default, which is on. */
  autoRefund?: boolean;
  /** True where anything was ever paid in for it; undefined if not known. */
  paidIn?: boolean | undefined;
  /** Tells who has the money when it comes back: our balance, or the sender who paid it in; undefined if not known. */
  paidBy?: 'balance' | 'sender' | undefined;
  before?: DoneBefore;
}

export function nextActionOf(recipient: Recipient, now: number, known: KnownOfPayment = {}): NextAction {
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
  /** The act that need not be done again. */
  done?: Possible;
}

/** Returns the act that was asked for before and is not answered yet: doing it again would change nothing. */
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
  // The service goes on trying. Where it stopped, an edit alone is no try.
  if (!isTriedAgain(state) || (editedMs ?? EDIT_COUNTS_MS) >= EDIT_COUNTS_MS) return undefined;
  return {
    awaiting: 'edit',
    because: `edited ${span(editedMs ?? 0)} ago; the next try uses the new details`,
    tell: 'We have corrected the details. The payment is tried again; nothing has been paid out so far.',
  };
}

function actOf(recipient: Recipient, ageMs: number): NextAct | null {
  const wanted = wantedBy(categoryOf(recipient));
  switch (recipientStateInfo(recipient.state)?.turn) {
    case 'nobody':
      return null;
    case 'operator':
      return 'ask';
    case 'reason':
      return reachable(recipient, wanted);
    case 'provider':
      return wanted === 'ask' || ageMs > REFUND_AFTER_MS ? 'ask' : 'wait';
    case 'service':
    case undefined:
      return 'wait';
  }
}

/** Something was asked for already: doing more would not help. */
const AWAITED = 'nobody now: wait for the answer';

const ACTOR: Readonly<Record<Exclude<NextAct, 'ask'>, string>> = {
  edit: 'you: edit the recipient',
  cancel: 'you: cancel',
  wait: 'the service: wait',
};

/**
 * Tells who must act, in words that every screen shares: by the state, and by the reason where it is one of this state.
 * @param known what is known beside the record; without it a payout counts as young and nothing as asked for
 */
export function whoMustAct(
  recipient: Recipient,
  { act = actOf(recipient, 0), awaiting = null }: Partial<Pick<NextAction, 'act' | 'awaiting'>> = {},
): string {
  if (awaiting !== null) return AWAITED;
  if (act === null) return 'nobody';
  if (isCalledOff(recipient.state)) return 'nobody; if it was funded, the refund follows';
  if (act === 'ask') return askOperator(possible(recipient));
  if (isToBeFunded(recipient)) return 'you: fund the payment';
  const category = categoryOf(recipient);
  const info = category === undefined ? undefined : categoryInfo(category);
  return info?.state.includes(recipient.state ?? '?') && wantedBy(category) === act
    ? whoActs(info)
    : ACTOR[act];
}

/** The payout starts once money is there, and it is not: only the partner ends that. */
const isToBeFunded = ({ state, transaction_state: of }: Recipient): boolean =>
  isNotStarted(state) && transactionStateInfo(of)?.can.includes('fund') === true;

/** Returns the act that helps against the reason. */
function wantedBy(category: string | undefined): NextAct {
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

/** Returns the wanted act, or one that is allowed in its place: an act that helps but is not allowed is no advice. */
function reachable(recipient: Recipient, wanted: NextAct): NextAct {
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
  const { state } = recipient;
  if (isPaidOut(state) || isCalledOff(state)) return [];
  const edit = recipient.editable ?? isEditable(state);
  const cancel = recipient.may_cancel ?? isWithService(state);
  return [...(edit ? (['edit'] as const) : []), cancel ? 'cancel' : 'request_cancel'];
}

function refundIn({ state, transaction_state: of }: Recipient, ageMs: number): NextAction['refundInMs'] {
  if (!isUnpaid(state) || (of !== undefined && of !== null && !isRefundedByItself(of))) return null;
  if (isNotStarted(state) && !of) return null;
  return {
    earliest: Math.max(0, REFUND_AFTER_MS - ageMs),
    latest: Math.max(0, REFUND_AFTER_MS + HOUR_MS - ageMs),
  };
}

function becauseOf({ state }: Recipient): string {
  return recipientStateInfo(state)?.meaning ?? `its state is ${state}`;
}

/** Tells what the code says first, where the state still hears it; then what the state means for it. */
function tellOf(recipient: Recipient, known: KnownOfPayment): string {
  const { state } = recipient;
  const info = recipientStateInfo(state);
  if (info === undefined) return 'We are looking into it.';
  if (isCalledOff(state)) return `${info.tell} ${tellRefund(recipient, known)}`;
  if (isPaidOut(state)) return tellPaid(recipient, info.tell);
  const reason = codeInfo(recipient.state_reason_details?.code ?? '')?.tell;
  if (!reason || !info.hears.includes(reason.group)) return info.tell;
  return [reason.says, FOLLOWS[info.turn]?.(reason.group, recipient)].filter(Boolean).join(' ');
}

const AGAIN = 'The payment is tried again; nothing has been paid out so far.';

/**
 * The sentence that follows from a reason in a state. Where the operator must act nothing is tried again by
 * itself.
 */
const FOLLOWS: Readonly<
  Partial<Record<RecipientStateInfo['turn'], (group: CodeGroup, recipient: Recipient) => string>>
> = {
  service: () => 'Nothing has been paid out.',
  operator: () => recipientStates.manual.tell,
  reason(group, recipient) {
    switch (group) {
      case 'corrected':
        return 'Once we have the right details, the payment is tried again with them; nothing has been paid out so far.';
      case 'ended':
        return possible(recipient).includes('cancel')
          ? 'We can cancel it and refund you.'
          : 'We can ask for it to be cancelled. Nothing has been paid out so far.';
      default:
        return AGAIN;
    }
  },
};

/** More than was asked for, where the service says how much: the amount that was paid. */
function tellPaid(recipient: Recipient, tell: string): string {
  const { output_amount: amount, output_currency: currency } = recipient;
  const { requested_amount: asked, requested_currency: askedIn } = recipient;
  const paid = money(amount, currency) ?? (tell.startsWith('{') ? 'The payment' : 'what was asked for');
  const isMore = amount != null && asked != null && askedIn === currency && gt(amount, asked);
  if (isMore && tell.startsWith('More than'))
    return tell.replace('More than {amount}', `${paid}, and not ${money(asked, currency)},`);
  return tell.replace('{amount}', () => paid);
}

/** Where the money is decides what is promised: in our balance, with the sender, or still at the service. */
function tellRefund(recipient: Recipient, { paidIn, paidBy }: KnownOfPayment): string {
  const { state, input_amount: amount, input_currency: currency } = recipient;
  const sum = money(amount, currency) ?? 'The money';
  if (isBack(state)) {
    if (paidBy === 'balance') return `${sum} is back in our account. We can refund you now.`;
    if (paidBy === 'sender') return `${sum} was sent back to you.`;
    return `${sum} was refunded to the account that paid it. We confirm your refund.`;
  }
  if (paidIn === false) return 'No money had come in for it, and nothing was paid out.';
  const refund = 'Your refund follows; we confirm it as soon as it is made.';
  return paidIn === true
    ? refund
    : `If you had paid for it: ${refund.charAt(0).toLowerCase()}${refund.slice(1)}`;
}
