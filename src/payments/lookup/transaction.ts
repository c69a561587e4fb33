/** From what a person has (an id, an external id, a short id) to the transaction (docs/rules.md 12). */

import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import type { SeenRecord } from '../../client/store/seen-port.ts';
import { getTransaction, listTransactions } from '../../contract/operations/transactions.ts';
import type { Recipient, Transaction } from '../../contract/resources/transaction.ts';
import { isBeginning, isTooShort, isUuid, TOO_SHORT } from '../../core/ids.ts';
import { hint } from '../../core/next.ts';
import { notFound, Problem, usage } from '../../core/problem.ts';
import type { Desk } from '../desk.ts';
import { hearFunded, hearOlderEdits } from './found-later.ts';

export interface FoundTransaction {
  transaction: Transaction;
  /** False when a short id was completed. */
  explicit: boolean;
}

export type Use = 'read' | 'write';

export const findTransaction = (desk: Desk, given: string, use: Use): Promise<FoundTransaction> =>
  lookingUp(use, () => find(desk, given, use));

/**
 * Looks a thing up for a read or a write. A write touches nothing that it cannot find: that is reported with the
 * failure.
 */
export async function lookingUp<T>(use: Use, find: () => Promise<T>): Promise<T> {
  try {
    return await find();
  } catch (error) {
    if (use === 'read' || !(error instanceof Problem) || error.facts.category !== 'not_found') throw error;
    throw new Problem(
      { ...error.facts, outcome: 'not applied', outcomeNote: 'nothing was sent' },
      { cause: error.cause },
    );
  }
}

async function find(desk: Desk, given: string, use: Use): Promise<FoundTransaction> {
  const client = await desk.client();
  if (isUuid(given)) return { transaction: await byUuid(desk, client, given), explicit: true };
  const byExternal = await transactionByExternalId(client, given);
  if (byExternal) return learnt(desk, byExternal, true);
  const short = await completeShortId(desk, given, 'transaction');
  if (short === undefined)
    throw notFound(
      `no transaction has the external id "${given}"${tooShort(given)}`,
      hint`${{ do: 'list_transactions' }} shows the latest`,
    );
  refuseShort(given, short, use);
  return { transaction: await byId(desk, client, short), explicit: false };
}

/** An id of the service, or an external id of the same form: many make UUIDs of their own. */
async function byUuid(desk: Desk, client: Client, id: string): Promise<Transaction> {
  try {
    return await byId(desk, client, id.toLowerCase());
  } catch (error) {
    const named = error instanceof Problem && error.facts.category === 'not_found';
    const found = named ? await transactionByExternalId(client, id) : undefined;
    if (found === undefined) throw error;
    return (await learnt(desk, found, true)).transaction;
  }
}

async function byId(desk: Desk, client: Client, id: string): Promise<Transaction> {
  try {
    const { object } = await client.call(getTransaction, { path: { transaction_id: id } });
    return (await learnt(desk, object, true)).transaction;
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'not_found') throw await notATransaction(desk, id);
    throw error;
  }
}

async function notATransaction(desk: Desk, id: string): Promise<Problem> {
  const seen = await findSeen(desk, id);
  if (seen !== undefined && seen.kind !== 'transaction') return ofAnotherKind(id, seen, 'transaction');
  return notFound(
    `no transaction ${id} on this account`,
    hint`check the profile with ${'`'}${{ do: 'who_am_i' }}${'`'}`,
  );
}

export async function transactionByExternalId(
  client: Client,
  externalId: string,
): Promise<Transaction | undefined> {
  const { object } = await client.call(listTransactions, { query: { external_id: externalId } });
  return object.find((candidate) => candidate.external_id === externalId);
}

async function learnt(desk: Desk, transaction: Transaction, explicit: boolean): Promise<FoundTransaction> {
  await desk.remember(seenIn(transaction));
  await hearFunded(desk, transaction);
  await hearOlderEdits(desk, transaction);
  return { transaction, explicit };
}

export function seenIn(transaction: Transaction): SeenRecord[] {
  const id = transaction.id ?? '';
  const externalId = transaction.external_id ?? undefined;
  const recipients = (transaction.recipients ?? []).map(
    (one): SeenRecord => ({ kind: 'recipient', id: one.id ?? '', transactionId: id, externalId }),
  );
  const sender: SeenRecord[] = transaction.sender?.id
    ? [{ kind: 'sender', id: transaction.sender.id, externalId: transaction.sender.external_id ?? undefined }]
    : [];
  return [{ kind: 'transaction', id, externalId }, ...recipients, ...sender];
}

export const seenRecipient = (recipient: Recipient): SeenRecord => ({
  kind: 'recipient',
  id: recipient.id ?? '',
  transactionId: recipient.transaction_id ?? undefined,
});

export async function findSeen(desk: Desk, id: string): Promise<SeenRecord | undefined> {
  try {
    return (await desk.store()).seen.find(await scope(desk), id);
  } catch {
    return undefined; // the index only saves a look-up
  }
}

/** The beginning of an id is read from six characters on. */
export const tooShort = (given: string): string => (isTooShort(given) ? `; ${TOO_SHORT}` : '');

const KINDS: Readonly<Record<SeenRecord['kind'], string>> = {
  transaction: 'a transaction',
  recipient: 'a recipient',
  sender: 'a sender',
  payout_method: 'a payout method',
  payin_method: 'a payin method',
  document: 'a document',
  webhook: 'a webhook',
  log: 'a log record',
};

/** An id that is known, and is none of the wanted kind: what it is, and what shows it. */
export function ofAnotherKind(
  given: string,
  { kind, id, transactionId }: SeenRecord,
  wanted: SeenRecord['kind'],
): Problem {
  const message = `${given} is ${KINDS[kind]}'s id, not ${KINDS[wanted]}'s`;
  switch (kind) {
    case 'recipient':
      return notFound(
        message,
        transactionId === undefined
          ? hint`${{ do: 'show_recipient', id }}`
          : hint`${{ do: 'show_recipient', id }}; its transaction: ${{ do: 'show_transaction', id: transactionId }}`,
      );
    case 'transaction':
      return notFound(message, hint`${{ do: 'show_transaction', id }} lists its recipients`);
    case 'sender':
      return notFound(
        message,
        hint`${{ do: 'show_sender', id }}; payments of it: ${{ do: 'list_transactions', sender: id }}`,
      );
    default:
      return notFound(message);
  }
}

/** @throws Problem (usage) naming every id that it may stand for; (not found) where it begins an id of another kind alone */
export async function completeShortId(
  desk: Desk,
  given: string,
  kind: SeenRecord['kind'],
): Promise<string | undefined> {
  if (!isBeginning(given)) return undefined;
  let found: SeenRecord[];
  try {
    found = (await desk.store()).seen.startingWith(await scope(desk), given.toLowerCase(), 20);
  } catch {
    return undefined;
  }
  const ids = [...new Set(found.filter((seen) => seen.kind === kind).map(({ id }) => id))];
  if (ids.length > 1) throw usage(`"${given}" stands for ${ids.length} ids`, ids.join(', '));
  const [other] = found;
  if (ids.length === 0 && other !== undefined) throw ofAnotherKind(`"${given}"`, other, kind);
  return ids[0];
}

/** A write takes a full id. @throws Problem (usage) that names it */
export function refuseShort(given: string, full: string, use: Use): void {
  if (use === 'write')
    throw usage(`"${given}" is a short id, and a write takes a full one`, `it stands for ${full}`);
}

/** The id that was given, or the one that a short id stands for. @throws Problem (usage) */
export async function fullId(desk: Desk, given: string, kind: SeenRecord['kind'], use: Use): Promise<string> {
  if (isUuid(given)) return given;
  const full = await completeShortId(desk, given, kind);
  if (full === undefined) return given;
  refuseShort(given, full, use);
  return full;
}

async function scope(desk: Desk): Promise<string> {
  const { name, baseUrl } = await desk.connection();
  return `${name} ${baseUrl}`;
}
