/**
 * A new key takes the place of an old one of the same account (decision 0072). What the old key left unknown stays this account's, its payments are
 * not made again, and its runs go on. The journal keeps the join.
 */
import { accountWith, knownKey } from '../contract/account-key.ts';
import { getTransaction } from '../contract/operations/transactions.ts';
import { accountRelation } from '../core/account.ts';
import type { Client } from './client.ts';
import { ApiError } from './errors.ts';
import type { Intent, Intents } from './store/port.ts';

export interface NewKey {
  baseUrl: string;
  /** The old key. */
  before: string;
  key: string;
  /** A number of milliseconds. */
  at: number;
}

export type Joined =
  /** The new key read a record that the old one had made. */
  | { kind: 'proven' }
  /** There is no such record, or the new key may read none: it only looks for what the old one left unknown, and sends none of it. */
  | { kind: 'unproven' }
  /** The service does not show the record to the new key. Nothing was written down. */
  | { kind: 'other_account'; transactionId: string };

/** Newest first: one that can be read is enough. */
const MOST_INTENTS = 1000;

/** @param client with the new key @throws CallError, and what the journal throws: nothing was written down */
export async function joinKeys(
  client: Client,
  intents: Intents,
  { baseUrl, before, key, at }: NewKey,
): Promise<Joined> {
  const old = accountWith(baseUrl, before);
  const joins = await intents.joins();
  const made = (await intents.list({ states: ['applied'], limit: MOST_INTENTS }))
    .filter((intent) => accountRelation(old, intent, joins) === 'same')
    .map(transactionOf)
    .find((id) => id !== undefined);
  const how = made === undefined ? 'unproven' : await canRead(client, made);
  if (how === 'other_account') return { kind: how, transactionId: made ?? '' };
  await intents.join({
    baseUrl,
    before: knownKey(before),
    key: knownKey(key),
    isProven: how === 'proven',
    at,
  });
  return { kind: how };
}

/** The transaction that a write made or changed. */
const transactionOf = ({ transactionId, operation, resultId }: Intent): string | undefined =>
  transactionId ?? (operation.startsWith('transactions.create') ? resultId : undefined);

async function canRead(client: Client, id: string): Promise<Joined['kind']> {
  try {
    await client.call(getTransaction, { path: { transaction_id: id } });
    return 'proven';
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return 'unproven';
    if (error instanceof ApiError && error.status === 404) return 'other_account';
    throw error;
  }
}
