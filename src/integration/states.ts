/** The service demands that states and errors are learnt from webhooks, and that GET is an occasional fall-back. */

import { counted } from '../core/amount-words.ts';
import { type Hint, hint } from '../core/next.ts';
import {
  type CheckResult,
  deliveriesOf,
  deliveryExample,
  type Evidence,
  examplesOf,
  firstOf,
  type LoggedDelivery,
} from './judged.ts';
import { FIRST_HOUR, readsPerDay, readsPerTransaction, type TransactionReads } from './reads.ts';

const PAYMENTS = /^(?:transaction|recipient)\./;
const ERRORS = /^recipient\.error$/;

interface Seen {
  deliveries: LoggedDelivery[];
  answered: LoggedDelivery[];
  missed: LoggedDelivery[];
}

function seenOf({ tries }: Evidence, about: RegExp): Seen {
  const deliveries = deliveriesOf(tries, about);
  const answered = deliveries.filter(({ answeredAt }) => answeredAt !== undefined);
  return { deliveries, answered, missed: deliveries.filter(({ answeredAt }) => answeredAt === undefined) };
}

const A_DELIVERY_OF_ERROR = ['delivery of recipient.error', 'deliveries of recipient.error'] as const;

const missedWords = ({ missed, deliveries }: Seen, words: readonly [one: string, many: string]): string =>
  `${missed.length} of ${counted(deliveries.length, ...words)} got no answer of success`;

const WAY_OF_HANDLER: Hint = hint`${{ do: 'test_handler' }} tries your endpoint`;

export function judgeWebhooks(evidence: Evidence): CheckResult {
  const { calls, endpoints } = evidence;
  const seen = seenOf(evidence, PAYMENTS);
  const perTransaction = readsPerTransaction(calls);
  const polled = perTransaction.filter(({ beyond }) => beyond > 0);
  const created = calls.filter(({ does, succeeded }) => does === 'create_transaction' && succeeded);
  const transactions = new Set([...created.map(({ id }) => id), ...perTransaction.map(({ id }) => id)]).size;
  const reads = perTransaction.reduce((sum, one) => sum + one.reads, 0);
  const listening = endpoints.filter(
    (events) => events.length === 0 || events.some((name) => PAYMENTS.test(name)),
  );
  const days = readsPerDay(calls).filter(
    ({ kind, reads: ofDay, atMost }) => kind === 'transactions' && ofDay > atMost,
  );
  const faults = [
    ...(listening.length === 0 && transactions > 0 ? ['no endpoint is registered for payments'] : []),
    ...(seen.missed.length > 0 ? [missedWords(seen, ['delivery', 'deliveries'])] : []),
    ...(polled.length > 0 ? [polledWords(polled, transactions)] : []),
    ...days.map(
      ({ day, reads: ofDay, atMost }) =>
        `transactions were read ${ofDay} times on ${day}, and ${atMost} are asked for at most`,
    ),
  ];
  const check = 'webhooks' as const;
  const counts = {
    endpoints: listening.length,
    deliveries: seen.deliveries.length,
    answered: seen.answered.length,
    transactions,
    reads,
    read_too_often: polled.length,
  };
  if (faults.length > 0)
    return {
      check,
      verdict: 'fail',
      says: faults.join('; '),
      counts,
      examples: firstOf([
        ...examplesOf(
          'transaction',
          polled.map(({ id }) => id),
        ),
        ...seen.missed.map(deliveryExample),
      ]),
      next: nextOf(listening.length, polled.length, seen.missed.length),
    };
  if (seen.answered.length === 0 || listening.length === 0)
    return {
      check,
      verdict: 'no_evidence',
      says:
        listening.length === 0
          ? 'no endpoint is registered, and no transaction was created'
          : 'no delivery about a payment was logged',
      counts,
      examples: [],
      next: hint`${{ do: 'start_sandbox' }} runs a sandbox: register your endpoint there with ${{ do: 'add_webhook' }} and have your service pay`,
    };
  return {
    check,
    verdict: 'pass',
    says: `${counted(seen.answered.length, 'delivery', 'deliveries')} answered with success; ${counted(reads, 'read')} of ${counted(transactions, 'transaction')}, none more often than is asked for`,
    counts,
    examples: firstOf(seen.answered.map(deliveryExample)),
    next: null,
  };
}

const polledWords = (polled: readonly TransactionReads[], of: number): string =>
  `${polled.length} of ${counted(of, 'transaction')} ${polled.length === 1 ? 'was' : 'were'} read more often than ${FIRST_HOUR} times in the first hour and once an hour after it`;

function nextOf(endpoints: number, polled: number, missed: number): Hint {
  if (endpoints === 0) return hint`${{ do: 'add_webhook' }} registers your endpoint`;
  if (missed > 0) return WAY_OF_HANDLER;
  return polled > 0
    ? hint`wait for the webhook in place of reading; ${{ do: 'check_polling' }} has the worst of them`
    : hint`${{ do: 'check_polling' }} has the counts`;
}

export function judgeErrors(evidence: Evidence): CheckResult {
  const { calls } = evidence;
  const seen = seenOf(evidence, ERRORS);
  const lastRead = new Map(
    calls.filter(({ does }) => does === 'read_transaction').map(({ id, at }) => [id, at]),
  );
  const fetched = seen.answered.filter(
    ({ transactionId, answeredAt = 0 }) => (lastRead.get(transactionId) ?? -1) >= answeredAt,
  );
  const told = seen.answered.filter(({ hasReason }) => hasReason);
  const readInError = calls.filter(({ does, hasError }) => does === 'read_transaction' && hasError);
  const check = 'errors' as const;
  const counts = {
    deliveries: seen.deliveries.length,
    answered: seen.answered.length,
    with_reason: told.length,
    fetched_after: fetched.length,
  };
  if (seen.missed.length > 0)
    return {
      check,
      verdict: 'fail',
      says: missedWords(seen, A_DELIVERY_OF_ERROR),
      counts,
      examples: firstOf(seen.missed.map(deliveryExample)),
      next: WAY_OF_HANDLER,
    };
  if (seen.deliveries.length === 0 && readInError.length > 0)
    return {
      check,
      verdict: 'fail',
      says: `${counted(distinct(readInError), 'transaction')} with a recipient in error ${distinct(readInError) === 1 ? 'was' : 'were'} read, and no recipient.error was delivered: errors are learnt of by reading`,
      counts,
      examples: examplesOf(
        'transaction',
        readInError.map(({ id }) => id),
      ),
      next: hint`${{ do: 'add_webhook' }} registers an endpoint for recipient.error`,
    };
  return seen.answered.length === 0 || told.length + fetched.length === 0
    ? noErrors(seen, counts)
    : {
        check,
        verdict: 'pass',
        says: `${counted(seen.answered.length, ...A_DELIVERY_OF_ERROR)} answered with success: ${told.length} brought a state_reason, and ${fetched.length} had the transaction fetched after it`,
        counts,
        examples: examplesOf(
          'recipient',
          [...fetched, ...told].map(({ id }) => id),
        ),
        next: null,
      };
}

const distinct = (calls: readonly { id: string }[]): number => new Set(calls.map(({ id }) => id)).size;

const noErrors = ({ answered }: Seen, counts: CheckResult['counts']): CheckResult => ({
  check: 'errors',
  verdict: 'no_evidence',
  says:
    answered.length === 0
      ? 'no recipient.error was delivered'
      : 'recipient.error was answered, but none brought a state_reason, and no transaction was fetched after it',
  counts,
  examples: [],
  next: hint`${{ do: 'start_sandbox' }} runs a sandbox: have your service pay there to an account that is refused, such as one of NGN::Bank that ends in 19`,
});
