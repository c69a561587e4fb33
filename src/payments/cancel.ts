/**
 * Cancelling is asynchronous and honest (docs/rules.md 5): one DELETE per recipient, and one ending each.
 * If the process dies between two recipients, those not reached are untouched, and the same command again goes on: a recipient
 * that is cancelled already is not asked about twice.
 */

import { isFunded } from '../client/funded.ts';
import { cancelRecipient as cancelRow } from '../contract/operations/recipients.ts';
import type { Recipient, Transaction } from '../contract/resources/transaction.ts';
import { isBack, isCalledOff, isPaidOut, isRefundedByHand } from '../contract/states/money.ts';
import { isUnderWay } from '../contract/states/recipient.ts';
import { span } from '../core/amount-words.ts';
import { invariant } from '../core/invariants.ts';
import { type Hint, hint } from '../core/next.ts';
import { type Category, type Problem, unsent } from '../core/problem.ts';
import { doneBefore } from './cases/done-before.ts';
import { byPayouts } from './confirmation.ts';
import type { Desk } from './desk.ts';
import type { Ending, EndingWord } from './endings.ts';
import type { WritePermit, WriteStep } from './gate.ts';
import { idOf } from './lookup/id-of.ts';
import { problemOf } from './problem-of.ts';
import { settleLeftOpen } from './settle.ts';
import { waitForTransaction } from './wait.ts';
import { maskedRecipient, payoutAmount, recipientLine } from './words/payment-lines.ts';
import { cancelQuestion } from './words/questions.ts';
import { write } from './write.ts';

/** Why it cannot be cancelled at once, or undefined when it can. */
export function obstacle(recipient: Recipient): string | undefined {
  if (isPaidOut(recipient.state)) return 'it is paid';
  if (isCalledOff(recipient.state)) return undefined;
  if (recipient.may_cancel !== false) return undefined;
  return isUnderWay(recipient.state)
    ? 'the payout is with the provider'
    : 'the service does not allow it in this state';
}

export interface CancelOptions {
  /** Ask the provider although the payout is under way. */
  request: boolean;
  waitMs: number | undefined;
}

/** The recipients that are cancelled and how, before anything is sent. */
export interface CancelPlan extends CancelOptions {
  targets: readonly (CancelTarget & { fate: Fate })[];
  step: WriteStep;
}

/** The fate of one recipient: decided once, shown, and then carried out. */
type Fate =
  | { kind: 'send'; mayBePaid: boolean }
  | { kind: 'over' }
  /**
   * The cancellation was asked for `agoMs` milliseconds ago, and is not answered yet: the service keeps that
   * request, and a second changes nothing.
   */
  | { kind: 'asked'; agoMs: number }
  | { kind: 'left'; why: string };

/** Says of each whether anything will be sent for it. */
export async function planCancel(
  desk: Desk,
  targets: readonly (CancelTarget & { explicit?: boolean })[],
  options: CancelOptions,
): Promise<CancelPlan> {
  const decided = await Promise.all(
    targets.map(async (target) => ({ ...target, fate: await fateOf(desk, target.recipient, options) })),
  );
  const sent = decided.filter(({ fate }) => fate.kind === 'send').map(({ recipient }) => recipient);
  return {
    ...options,
    targets: decided,
    step: {
      // With nothing to send, nothing is asked.
      effect: sent.length > 0 ? 'destructive' : 'read',
      explicitId: targets.every(({ explicit }) => explicit !== false),
      what: decided.map(
        ({ recipient, fate }) => `cancel ${recipientLine(recipient, desk.mask)}${noteOf(fate)}`,
      ),
      confirm: byPayouts(sent),
      question: cancelQuestion(sent, options.request, desk.mask),
    },
  };
}

async function fateOf(
  desk: Desk,
  recipient: Recipient,
  { request }: Pick<CancelOptions, 'request'>,
): Promise<Fate> {
  if (isCalledOff(recipient.state)) return { kind: 'over' };
  const hindrance = obstacle(recipient);
  if (hindrance === undefined) return { kind: 'send', mayBePaid: false };
  if (isPaidOut(recipient.state)) return { kind: 'left', why: hindrance };
  const { cancelRequestedMs: agoMs } = await doneBefore(desk, recipient);
  if (agoMs !== undefined) return { kind: 'asked', agoMs };
  return request ? { kind: 'send', mayBePaid: true } : { kind: 'left', why: hindrance };
}

function noteOf(fate: Fate): string {
  switch (fate.kind) {
    case 'send':
      return fate.mayBePaid ? ' (it may still be paid)' : '';
    case 'over':
      return ' (cancelled already)';
    case 'asked':
      return ` (a cancel was requested ${span(fate.agoMs)} ago: not requested again)`;
    case 'left':
      return ` (${fate.why}: not cancelled)`;
  }
}

/** One alone that cannot be cancelled at once is refused, not reported. @throws Problem (conflict) */
export function refusePredictedRefusal({ targets: [only, ...more] }: CancelPlan): void {
  if (only?.fate.kind === 'left' && more.length === 0) throw cannotCancel(only.recipient, only.fate.why);
}

interface CancelTarget {
  recipient: Recipient;
  transaction: Transaction;
}

/** Cancels each; what is cancelled or paid already is only reported. */
export async function cancelRecipients(
  desk: Desk,
  permit: WritePermit,
  { targets, waitMs }: CancelPlan,
): Promise<Ending[]> {
  const asked: (CancelTry & CancelTarget)[] = [];
  for (const target of targets)
    asked.push({ transaction: target.transaction, ...(await cancelOne(desk, permit, target)) });
  const until = desk.clock.now() + (waitMs ?? 0);
  const after = new Map<string, Transaction | undefined>();
  for (const { transaction } of asked) {
    const id = transaction.id ?? '';
    if (after.has(id)) continue;
    const own = asked.filter((one) => one.transaction.id === id);
    const leftMs = Math.max(0, until - desk.clock.now());
    after.set(id, await reread(desk, transaction, own, leftMs));
  }
  invariant(asked.length === targets.length, 'every recipient that was named has its ending');
  return asked.map((attempt) =>
    endingOf(attempt, after.get(attempt.transaction.id ?? ''), attempt.transaction),
  );
}

interface CancelTry {
  recipient: Recipient;
  result: 'sent' | 'asked' | 'over' | 'not sent' | 'refused' | 'unknown';
  why?: Hint;
  category?: Category;
}

async function cancelOne(
  desk: Desk,
  permit: WritePermit,
  { transaction, recipient, fate }: CancelPlan['targets'][number],
): Promise<CancelTry> {
  if (fate.kind === 'over') {
    await settleLeftOpen(desk, cancelRow.id, recipient.id);
    return { recipient, result: 'over' };
  }
  if (fate.kind === 'asked')
    return { recipient, result: 'asked', why: `requested ${span(fate.agoMs)} ago; nothing was sent again` };
  if (fate.kind === 'left') return { recipient, result: 'not sent', why: fate.why };
  try {
    const ids = {
      recipientId: idOf(recipient, 'recipient'),
      transactionId: idOf(transaction, 'transaction'),
    };
    const { value } = await write<Recipient>(desk, permit, {
      asked: { plan: 'cancel', ...ids },
      subject: recipient.id ?? undefined,
      transactionId: transaction.id ?? undefined,
      summary: `cancel ${maskedRecipient(recipient)}`,
      ...payoutAmount(recipient),
    });
    return { recipient: value, result: 'sent' };
  } catch (error) {
    const failure = problemOf(error);
    // Never thrown on: what was asked for the recipients before this one must still be told.
    return {
      recipient,
      result: failure.facts.category === 'unknown' ? 'unknown' : 'refused',
      ...(failure.facts.category === 'validation' ? {} : { category: failure.facts.category }),
      // The hint names the command that settles it: an unknown outcome never ends without one.
      why:
        failure.facts.category === 'unknown'
          ? hint`${failure.message}; ${settlingHint(failure)}`
          : failure.message,
    };
  }
}

/** Says only how to settle it: a second DELETE of the same is no second payment. */
const settlingHint = ({ facts }: Problem): Hint => {
  const parts = typeof facts.hint === 'object' ? facts.hint.parts : [];
  const settling = parts.find((part) => typeof part === 'object' && 'do' in part && part.do === 'settle');
  return settling === undefined || typeof settling === 'string' ? (facts.hint ?? '') : hint`${settling}`;
};

/** One look afterwards, or as many as --wait allows; a look that fails leaves what each DELETE answered. */
async function reread(
  desk: Desk,
  transaction: Transaction,
  asked: readonly CancelTry[],
  waitMs: number,
): Promise<Transaction | undefined> {
  if (asked.every(({ result }) => result === 'not sent')) return transaction;
  // Only what was sent, now or before, can still change: what is unknown is settled by another command, not by waiting.
  const moving = asked.filter(({ result }) => result === 'sent' || result === 'asked' || result === 'over');
  const ids = new Set(moving.map(({ recipient }) => recipient.id));
  const funded = isFunded(transaction);
  const done = (now: Transaction): boolean =>
    (now.recipients ?? [])
      .filter(({ id }) => ids.has(id))
      .every(({ state }) => isPaidOut(state) || isBack(state) || (!funded && isCalledOff(state)));
  try {
    return (await waitForTransaction(desk, transaction.id ?? '', waitMs, done)).transaction;
  } catch {
    return undefined;
  }
}

function endingOf(attempt: CancelTry, after: Transaction | undefined, before: Transaction): Ending {
  const recipient = after?.recipients?.find(({ id }) => id === attempt.recipient.id) ?? attempt.recipient;
  const why = attempt.why === undefined ? {} : { why: attempt.why };
  const category = attempt.category === undefined ? {} : { category: attempt.category };
  const end = (ending: EndingWord): Ending => ({
    recipient,
    transaction_id: before.id ?? '',
    ending,
    sent: attempt.result !== 'not sent' && attempt.result !== 'asked',
    ...why,
  });
  const funded = isFunded(before) || (after !== undefined && isFunded(after));
  const { state } = recipient;
  if (isBack(state)) return end('refunded');
  if (isPaidOut(state)) return end(attempt.result === 'not sent' ? 'paid before' : 'paid meanwhile');
  if (isCalledOff(state)) {
    if (!funded) return end('cancelled before funding');
    return end(
      isRefundedByHand(after?.state) ? 'cancelled, refund needs the operator' : 'cancelled, refund pending',
    );
  }
  if (attempt.result === 'unknown') return end('unknown');
  if (attempt.result === 'sent' || attempt.result === 'asked') return end('cancellation requested');
  return { ...end('not cancelled'), ...category };
}

/** The refusal for a recipient that cannot be cancelled at once, without a request to try. */
function cannotCancel(recipient: Recipient, why: string): Problem {
  const paid = isPaidOut(recipient.state);
  return unsent(
    'conflict',
    paid ? 'already_paid' : 'not_cancellable_at_once',
    paid
      ? `recipient ${recipient.id} cannot be cancelled: ${why} (state: ${recipient.state})`
      : `recipient ${recipient.id} cannot be cancelled at once: ${why} (state: ${recipient.state})`,
    paid
      ? undefined
      : hint`${{ do: 'cancel_recipients', ids: [recipient.id ?? ''], request: true, wait: true }} asks the provider to cancel, and waits for the answer`,
  );
}
