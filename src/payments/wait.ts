/** Waiting for a transaction, within the service's budget of reads (docs/rules.md 11): a loopback sandbox is asked often. */

import { getTransaction } from '../contract/operations/transactions.ts';
import type { Transaction } from '../contract/resources/transaction.ts';
import { isAtRest, isCalledOff, isEndedPayout } from '../contract/states/money.ts';
import { isTriedAgain, isUnderWay } from '../contract/states/recipient.ts';
import { isLoopback } from '../core/hosts.ts';
import { gt } from '../core/money.ts';
import type { Progress } from '../core/progress.ts';
import type { Desk } from './desk.ts';
import { OFTEN } from './read-budget.ts';

export interface Waited {
  transaction: Transaction;
  /** False when the time was up first. */
  ended: boolean;
}

/** Six reads in a transaction's first hour are allowed: early ones close together, later ones far apart. */
const SPARSE_MS = [5_000, 15_000, 40_000, 120_000, 600_000];

const FREQUENT_MS = 500;
const HOUR_MS = 3_600_000;

/** Before the next look of a watch without end: a transaction older than an hour is read once an hour. */
export function pauseBefore(look: number, { frequent, ageMs }: { frequent: boolean; ageMs: number }): number {
  if (frequent) return FREQUENT_MS;
  return (ageMs > HOUR_MS ? undefined : SPARSE_MS[look - 1]) ?? HOUR_MS;
}

/** True when nothing will change by itself soon, or at all. */
export function isResting(transaction: Transaction): boolean {
  if (isAtRest(transaction.state)) return true;
  const states = (transaction.recipients ?? []).map(({ state }) => state);
  if (isCalledOff(transaction.state)) return !states.some(isUnderWay) && !isAwaitingRefund(transaction);
  return states.length > 0 && states.every((state) => isEndedPayout(state) || isTriedAgain(state));
}

const isAwaitingRefund = (transaction: Transaction): boolean =>
  (transaction.recipients ?? []).some(({ state }) => state === 'canceled') &&
  gt(transaction.paid_amount ?? '0', '0');

export const waitForTransaction = (
  desk: Desk,
  id: string,
  limitMs: number,
  done: (transaction: Transaction) => boolean = isResting,
): Promise<Waited> => desk.working('waiting', (progress) => looking(desk, { id, limitMs, done, progress }));

interface Looking {
  id: string;
  limitMs: number;
  done(transaction: Transaction): boolean;
  progress: Progress;
}

async function looking(desk: Desk, { id, limitMs, done, progress }: Looking): Promise<Waited> {
  // The payment that is waited for was sent: a wish to end ends the waiting, not the last look.
  const client = await desk.writingClient();
  const frequent = isLoopback(new URL(client.baseUrl).hostname);
  const terms = frequent ? OFTEN : {};
  const until = desk.clock.now() + limitMs;
  for (let reads = 0; ; reads++) {
    const { object } = await client.call(getTransaction, { path: { transaction_id: id }, ...terms });
    if (done(object)) return { transaction: object, ended: true };
    progress.say(`waiting: the transaction is ${object.state}`);
    const pause = frequent ? Math.min(100 * 2 ** reads, 1_000) : SPARSE_MS[reads];
    const left = until - desk.clock.now();
    if (pause === undefined || left <= 0 || desk.signal.aborted) return { transaction: object, ended: false };
    await desk.sleep(Math.min(pause, left), desk.signal);
  }
}
