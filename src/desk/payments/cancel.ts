/**
 * Cancelling is asynchronous and honest (PRODUCT rule 5): one DELETE per recipient, one ending each, and the worst exit code.
 * If the process dies between two recipients, those not reached are untouched, and the same command again goes on: a recipient
 * that is cancelled already is not asked about twice.
 */

import { type Flag, flagOn, type Input } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import type { ExitCode } from '../../cli/exit-codes.ts';
import { isFunded } from '../../client/funded.ts';
import { cancelRecipient as cancelRow } from '../../contract/operations/recipients.ts';
import type { Recipient, Transaction } from '../../contract/resources/transaction.ts';
import { isBack, isCalledOff, isPaidOut } from '../../contract/states/money.ts';
import { Failure } from '../../core/problem.ts';
import { asFailure } from '../problem-of.ts';
import { maskedRecipient, recipientLine } from '../words/payment-lines.ts';
import type { Ending, EndingWord } from './endings.ts';
import { settleLeftOpen } from './settle.ts';
import { readWait, waitFlags, waitForTransaction } from './wait.ts';
import { write } from './write.ts';

/** Why it cannot be cancelled at once, or undefined when it can. */
export function obstacle(recipient: Recipient): string | undefined {
  if (isPaidOut(recipient.state)) return 'it is paid';
  if (isCalledOff(recipient.state)) return undefined;
  if (recipient.may_cancel !== false) return undefined;
  return recipient.state === 'pending'
    ? 'the payout is with the bank'
    : 'the service does not allow it in this state';
}

export interface CancelOptions {
  /** Ask the partner although the payout is under way. */
  request: boolean;
  waitMs: number | undefined;
}

export const cancelFlags: readonly Flag[] = [
  { flags: '--request', summary: 'ask the partner too where the payout is already under way' },
  ...waitFlags('each has its ending'),
];
export const readCancel = (input: Input): CancelOptions => ({
  request: flagOn(input, 'request'),
  waitMs: readWait(input),
});

/** What the guard shows of one: left alone where it cannot be cancelled at once and nobody asked to try. */
export function cancelLine(context: Context, recipient: Recipient, { request }: CancelOptions): string {
  const hindrance = obstacle(recipient);
  const left = hindrance !== undefined && (!request || isPaidOut(recipient.state));
  return `cancel ${recipientLine(recipient, context.mask)}${left ? ` (${hindrance}: left alone)` : ''}`;
}

interface Target {
  recipient: Recipient;
  transaction: Transaction;
}

/** Cancels each; what is cancelled or paid already is only reported. The guard has been passed. */
export async function cancelRecipients(
  context: Context,
  targets: readonly Target[],
  options: CancelOptions,
): Promise<Ending[]> {
  const asked: (Attempt & Target)[] = [];
  for (const { recipient, transaction } of targets)
    asked.push({ transaction, ...(await cancelOne(context, transaction, recipient, options.request)) });
  const until = context.world.clock.now() + (options.waitMs ?? 0);
  const after = new Map<string, Transaction | undefined>();
  for (const { transaction } of asked) {
    const id = transaction.id ?? '';
    if (after.has(id)) continue;
    const own = asked.filter((one) => one.transaction.id === id);
    const leftMs = Math.max(0, until - context.world.clock.now());
    after.set(id, await reread(context, transaction, own, leftMs));
  }
  return asked.map((attempt) =>
    endingOf(attempt, after.get(attempt.transaction.id ?? ''), attempt.transaction),
  );
}

interface Attempt {
  recipient: Recipient;
  result: 'sent' | 'over' | 'not sent' | 'refused' | 'unknown';
  why?: string;
  exit?: ExitCode;
}

async function cancelOne(
  context: Context,
  transaction: Transaction,
  recipient: Recipient,
  request: boolean,
): Promise<Attempt> {
  if (isCalledOff(recipient.state)) {
    await settleLeftOpen(context, cancelRow.id, recipient.id);
    return { recipient, result: 'over' };
  }
  const hindrance = obstacle(recipient);
  if (hindrance !== undefined && (isPaidOut(recipient.state) || !request))
    return { recipient, result: 'not sent', why: hindrance };
  const asked = { recipientId: recipient.id ?? '', transactionId: transaction.id ?? '' };
  try {
    const { value } = await write<Recipient>(context, {
      asked: { plan: 'cancel', ...asked },
      subject: recipient.id ?? undefined,
      transactionId: transaction.id ?? undefined,
      summary: `cancel ${maskedRecipient(recipient)}`,
    });
    return { recipient: value, result: 'sent' };
  } catch (error) {
    const failure = asFailure(error);
    // Never thrown on: what was asked for the recipients before this one must still be told.
    return {
      recipient,
      result: failure.facts.category === 'unknown' ? 'unknown' : 'refused',
      ...(failure.facts.category === 'validation' ? {} : { exit: failure.exitCode }),
      // The hint names the command that settles it: an unknown outcome never ends without one.
      why:
        failure.facts.category === 'unknown'
          ? `${failure.message}; ${settlingHint(failure)}`
          : failure.message,
    };
  }
}

/** Without the flag of other writes: a second DELETE of the same is no second payment, and cancel has no --new-payment. */
const settlingHint = ({ facts }: Failure): string =>
  (facts.hint ?? '').replace(/;\s*--new-payment\b.*$/s, '');

/** One look afterwards, or as many as --wait allows; a look that fails leaves what each DELETE answered. */
async function reread(
  context: Context,
  transaction: Transaction,
  asked: readonly Attempt[],
  waitMs: number,
): Promise<Transaction | undefined> {
  if (asked.every(({ result }) => result === 'not sent')) return transaction;
  // Only what was sent, now or before, can still change: what is unknown is settled by another command, not by waiting.
  const moving = asked.filter(({ result }) => result === 'sent' || result === 'over');
  const ids = new Set(moving.map(({ recipient }) => recipient.id));
  const funded = isFunded(transaction);
  const done = (now: Transaction): boolean =>
    (now.recipients ?? [])
      .filter(({ id }) => ids.has(id))
      .every(({ state }) => isPaidOut(state) || isBack(state) || (!funded && isCalledOff(state)));
  try {
    return (await waitForTransaction(context, transaction.id ?? '', waitMs, done)).transaction;
  } catch {
    return undefined;
  }
}

function endingOf(attempt: Attempt, after: Transaction | undefined, before: Transaction): Ending {
  const recipient = after?.recipients?.find(({ id }) => id === attempt.recipient.id) ?? attempt.recipient;
  const why = attempt.why === undefined ? {} : { why: attempt.why };
  const exit = attempt.exit === undefined ? {} : { exit: attempt.exit };
  const end = (ending: EndingWord): Ending => ({
    recipient,
    transaction_id: before.id ?? '',
    ending,
    sent: attempt.result !== 'not sent',
    ...why,
  });
  const funded = isFunded(before) || (after !== undefined && isFunded(after));
  switch (recipient.state) {
    case 'refunded':
      return end('refunded');
    case 'success':
    case 'overpaid':
      return end(attempt.result === 'not sent' ? 'paid before' : 'paid meanwhile');
    case 'canceled':
      if (!funded) return end('cancelled before funding');
      return end(
        after?.state === 'manual' ? 'cancelled, refund needs the operator' : 'cancelled, refund pending',
      );
    default:
      if (attempt.result === 'unknown') return end('unknown');
      if (attempt.result === 'sent') return end('asked of the partner');
      return { ...end('not cancelled'), ...exit };
  }
}

/** For one recipient that cannot be cancelled at once, where nobody asked to try. */
export function cannotCancel(recipient: Recipient, why: string): Failure {
  const paid = isPaidOut(recipient.state);
  return new Failure({
    category: 'conflict',
    code: paid ? 'already_paid' : 'not_cancellable_at_once',
    message: paid
      ? `recipient ${recipient.id} cannot be cancelled: ${why} (state: ${recipient.state})`
      : `recipient ${recipient.id} cannot be cancelled at once: ${why} (state: ${recipient.state})`,
    hint: paid
      ? undefined
      : `remit recipient cancel ${recipient.id} --request --wait     ask the partner anyway, and wait for the answer`,
    outcome: 'not applied',
    outcomeNote: 'nothing was sent',
  });
}
