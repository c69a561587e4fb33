/**
 * A transaction seen again and again, within the service's budget of reads (docs/rules.md 11): six in its first hour, then one
 * an hour; a sandbox on this machine twice a second.
 */

import { getTransaction } from '../contract/operations/transactions.ts';
import type { Transaction } from '../contract/resources/transaction.ts';
import { isAtRest } from '../contract/states/money.ts';
import { isLoopback } from '../core/hosts.ts';
import type { DataOf } from '../frame/shape.ts';
import type { Desk } from './desk.ts';
import { tolerant } from './polling.ts';
import { OFTEN } from './read-budget.ts';
import type { changeShape } from './shapes/payments.ts';
import { isResting, pauseBefore } from './wait.ts';
import { payinReasonOf, reasonOf } from './words/reason.ts';

/** Ends when the time is up or the desk's signal fires; the caller may end it before that. */
export async function* looks(
  desk: Desk,
  first: Transaction,
  limitMs: number,
): AsyncGenerator<Transaction, void, undefined> {
  const client = await desk.client();
  const frequent = isLoopback(new URL(client.baseUrl).hostname);
  const createdAt = Date.parse(first.created_at ?? '');
  const until = desk.clock.now() + limitMs;
  const look = tolerant(desk);
  const path = { transaction_id: first.id ?? '' };
  const terms = frequent ? OFTEN : {};
  yield first;
  for (let number = 1; ; number++) {
    const now = desk.clock.now();
    const ageMs = Number.isNaN(createdAt) ? 0 : now - createdAt;
    const pause = pauseBefore(number, { frequent, ageMs });
    // A look that the budget does not allow before the time is up is not made.
    const fits = pause <= until - now;
    await desk.sleep(fits ? pause : Math.max(0, until - now), desk.signal);
    if (!fits || desk.signal.aborted) return;
    const found = await look(async () => (await client.call(getTransaction, { path, ...terms })).object);
    if (found !== undefined) yield found;
  }
}

/** True where nothing will change by itself any more. An error is tried again by the service: it is not the end. */
export function isAtEnd(transaction: Transaction): boolean {
  const { state } = transaction;
  if (state === 'canceled') return isResting(transaction);
  return isAtRest(state);
}

export type WatchedKind = 'transaction' | 'recipient' | 'payin_method';

export type SeenChange = DataOf<typeof changeShape>;

/** Returns the states that read otherwise than at the look before; all of them, at the first. */
export function changesBetween(
  before: Transaction | undefined,
  now: Transaction,
  seenAt: string,
): SeenChange[] {
  const past = new Map(before === undefined ? [] : states(before, seenAt).map((one) => [one.id, one]));
  return states(now, seenAt)
    .filter(({ id, to, reason }) => past.get(id)?.to !== to || past.get(id)?.reason !== reason)
    .map((change) => ({ ...change, from: past.get(change.id)?.to ?? null }));
}

function states(transaction: Transaction, seenAt: string): SeenChange[] {
  const of = (what: SeenChange['what'], id: unknown, to: unknown, reason: string | null): SeenChange => ({
    seen_at: seenAt,
    what,
    id: String(id ?? ''),
    from: null,
    to: String(to ?? ''),
    reason,
  });
  return [
    of('transaction', transaction.id, transaction.state, transaction.state_reason ?? null),
    ...(transaction.payin_methods ?? []).map((one) =>
      of('payin_method', one.id, one.state, payinReasonOf(one)),
    ),
    ...(transaction.recipients ?? []).map((one) => of('recipient', one.id, one.state, reasonOf(one))),
  ];
}
