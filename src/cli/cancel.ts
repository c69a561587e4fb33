/**
 * Cancelling is asynchronous and honest (PRODUCT rule 5): one DELETE per recipient, one ending each, and the worst exit code.
 * If the process dies between two recipients, those not reached are untouched, and the same command again goes on: a recipient
 * that is cancelled already is not asked about twice.
 */
import { isFunded } from '../client/funded.ts';
import type { Recipient, Transaction } from '../contract/resources/transaction.ts';
import { add } from '../core/money.ts';
import type { Context } from './context.ts';
import { asFailure } from './errors.ts';
import { type ExitCode, exitCodes, worst } from './exit-codes.ts';
import { Failure } from './failure.ts';
import { maskedRecipient } from './payment/lines.ts';
import type { View } from './view.ts';
import { money } from './views/amount.ts';
import { accountOf, fullName } from './views/person.ts';
import { waitForTransaction } from './wait.ts';
import { write } from './write.ts';

export type EndingWord =
  | 'refunded'
  | 'cancelled before funding'
  | 'cancelled, refund pending'
  | 'cancelled, refund needs the operator'
  | 'asked of the partner'
  | 'paid before'
  | 'paid meanwhile'
  | 'not cancelled'
  | 'unknown';

const EXIT: Record<EndingWord, ExitCode> = {
  refunded: exitCodes.ok,
  'cancelled before funding': exitCodes.ok,
  'cancelled, refund pending': exitCodes.pending,
  'cancelled, refund needs the operator': exitCodes.check,
  'asked of the partner': exitCodes.pending,
  'paid before': exitCodes.failed,
  'paid meanwhile': exitCodes.failed,
  'not cancelled': exitCodes.failed,
  unknown: exitCodes.unknown,
};

export interface Ending {
  recipient: Recipient;
  ending: EndingWord;
  /** Why, where it was not asked or was refused. */
  why?: string;
  /** Where it was not sent at all: the failure's own exit code. */
  exit?: ExitCode;
}

export const exitOf = (ending: Ending): ExitCode => ending.exit ?? EXIT[ending.ending];

/**
 * The exit code of all endings together, and what to say: money that came back for some while others had been paid before is
 * a partial refund (10), which is neither a refund nor a failure.
 */
export function conclusionOf(endings: readonly Ending[]): { exit: ExitCode; notes: string[] } {
  const of = (...words: EndingWord[]): Ending[] => endings.filter(({ ending }) => words.includes(ending));
  const back = of('refunded');
  const gone = of('paid before');
  if (back.length > 0 && gone.length > 0) {
    const rest = endings.filter((one) => !gone.includes(one)).map(exitOf);
    const exit = worst([exitCodes.check, ...rest]);
    return {
      exit,
      notes: [`partly refunded: ${totalOf(back)} came back, ${totalOf(gone)} had been paid out before`],
    };
  }
  const exit = worst(endings.map(exitOf));
  const isOpen = of('cancelled, refund pending', 'asked of the partner', 'unknown').length > 0;
  return {
    exit,
    notes: isOpen || of('cancelled, refund needs the operator').length > 0 ? [CREDIT_NOTE] : [],
  };
}

function totalOf(endings: readonly Ending[]): string {
  const totals = new Map<string, string>();
  for (const { recipient } of endings) {
    const currency = recipient.input_currency ?? '';
    totals.set(currency, add(totals.get(currency) ?? '0', recipient.input_amount ?? '0'));
  }
  return [...totals].map(([currency, total]) => money(total, currency)).join(' + ');
}

export const endingView: View<Ending> = {
  kind: 'cancellation',
  columns: [
    { name: 'recipient_id', head: 'RECIPIENT', get: ({ recipient }) => recipient.id },
    { name: 'ending', get: ({ ending }) => ending },
    { name: 'state', state: true, priority: 1, get: ({ recipient }) => recipient.state },
    { name: 'name', priority: 2, get: ({ recipient }) => fullName(recipient.payout_method?.details) },
    {
      name: 'amount',
      right: true,
      priority: 1,
      get: ({ recipient }) => money(recipient.input_amount, recipient.input_currency),
    },
    { name: 'account', priority: 3, get: ({ recipient }) => accountOf(recipient.payout_method?.details) },
    { name: 'why', priority: 1, get: ({ why }) => why },
  ],
};

const OVER = new Set(['canceled', 'refunded']);

/** Why it cannot be cancelled at once, or undefined when it can. */
export function obstacle(recipient: Recipient): string | undefined {
  if (recipient.state === 'success' || recipient.state === 'overpaid') return 'it is paid';
  if (OVER.has(recipient.state ?? '')) return undefined;
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

/** Cancels each; what is cancelled or paid already is only reported. The guard has been passed. */
export async function cancelRecipients(
  context: Context,
  transaction: Transaction,
  recipients: readonly Recipient[],
  options: CancelOptions,
): Promise<Ending[]> {
  const asked: Attempt[] = [];
  for (const recipient of recipients)
    asked.push(await cancelOne(context, transaction, recipient, options.request));
  const after = await reread(context, transaction, asked, options.waitMs);
  return asked.map((attempt) => endingOf(attempt, after, isFunded(transaction)));
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
  if (OVER.has(recipient.state ?? '')) return { recipient, result: 'over' };
  const hindrance = obstacle(recipient);
  if (hindrance !== undefined && (recipient.state === 'success' || !request))
    return { recipient, result: 'not sent', why: hindrance };
  const asked = { recipientId: recipient.id ?? '', transactionId: transaction.id ?? '' };
  try {
    const { value } = await write<Recipient>(context, {
      asked: { plan: 'cancel', ...asked },
      identity: asked,
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
        failure.facts.category === 'unknown' ? `${failure.message}; ${failure.facts.hint}` : failure.message,
    };
  }
}

/** One look afterwards, or as many as --wait allows; a look that fails leaves what each DELETE answered. */
async function reread(
  context: Context,
  transaction: Transaction,
  asked: readonly Attempt[],
  waitMs: number | undefined,
): Promise<Transaction | undefined> {
  if (asked.every(({ result }) => result === 'not sent')) return transaction;
  const ids = new Set(asked.map(({ recipient }) => recipient.id));
  const funded = isFunded(transaction);
  const done = (now: Transaction): boolean =>
    (now.recipients ?? [])
      .filter(({ id }) => ids.has(id))
      .every(({ state }) => state === 'success' || state === 'refunded' || (!funded && state === 'canceled'));
  try {
    return (await waitForTransaction(context, transaction.id ?? '', waitMs ?? 0, done)).transaction;
  } catch {
    return undefined;
  }
}

function endingOf(attempt: Attempt, after: Transaction | undefined, wasFunded: boolean): Ending {
  const recipient = after?.recipients?.find(({ id }) => id === attempt.recipient.id) ?? attempt.recipient;
  const why = attempt.why === undefined ? {} : { why: attempt.why };
  const exit = attempt.exit === undefined ? {} : { exit: attempt.exit };
  const end = (ending: EndingWord): Ending => ({ recipient, ending, ...why });
  const funded = wasFunded || (after !== undefined && isFunded(after));
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

const CREDIT_NOTE = 'Do not credit your customer before it says refunded.';

/** For one recipient that cannot be cancelled at once, where nobody asked to try. */
export function cannotCancel(recipient: Recipient, why: string): Failure {
  const paid = recipient.state === 'success' || recipient.state === 'overpaid';
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
