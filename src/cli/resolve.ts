/**
 * From what a person has (an id, an external id, a short id) to the record. There is no call that reads one recipient
 * (PRODUCT rule 12): its transaction comes from the index of ids seen, from --tx, or from a bounded scan that says so.
 */
import type { Client } from '../client/client.ts';
import { ApiError } from '../client/errors.ts';
import { pages } from '../client/pages.ts';
import { listRecipients } from '../contract/operations/recipients.ts';
import { getTransaction, listTransactions } from '../contract/operations/transactions.ts';
import type { Recipient, Transaction } from '../contract/resources/transaction.ts';
import { isUuid } from '../core/ids.ts';
import type { Seen } from '../core/ports/seen.ts';
import type { Context } from './context.ts';
import { Failure, notFound, usage } from './failure.ts';

const SCAN_PAGES = 10;
const SCAN_PER = 100;

export interface FoundTransaction {
  transaction: Transaction;
  /** False when a short id was completed. */
  explicit: boolean;
}

export async function findTransaction(
  context: Context,
  given: string,
  use: 'read' | 'write',
): Promise<FoundTransaction> {
  const client = await context.client();
  if (isUuid(given)) return { transaction: await byUuid(context, client, given), explicit: true };
  const byExternal = await byExternalId(client, given);
  if (byExternal) return learnt(context, byExternal, true);
  const short = await completeShortId(context, given, 'transaction');
  if (short === undefined)
    throw notFound(`no transaction has the external id "${given}"`, 'remit tx list shows the latest');
  if (use === 'write')
    throw usage(`"${given}" is a short id, and a write takes a full one`, `it stands for ${short}`);
  return { transaction: await byId(context, client, short), explicit: false };
}

/** An id of the service, or an external id of the same form: many make UUIDs of their own. */
async function byUuid(context: Context, client: Client, id: string): Promise<Transaction> {
  try {
    return await byId(context, client, id);
  } catch (error) {
    const named = error instanceof Failure && error.facts.category === 'not_found';
    const found = named ? await byExternalId(client, id) : undefined;
    if (found === undefined) throw error;
    return (await learnt(context, found, true)).transaction;
  }
}

async function byId(context: Context, client: Client, id: string): Promise<Transaction> {
  try {
    const { object } = await client.call(getTransaction, { path: { transaction_id: id } });
    return (await learnt(context, object, true)).transaction;
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'not_found') throw await notATransaction(context, id);
    throw error;
  }
}

async function notATransaction(context: Context, id: string): Promise<Failure> {
  const seen = await findSeen(context, id);
  if (seen?.kind === 'recipient') {
    return notFound(
      `${id} is a recipient's id, not a transaction's`,
      `its transaction: ${seen.transactionId}`,
    );
  }
  if (seen?.kind === 'sender')
    return notFound(`${id} is a sender's id, not a transaction's`, `remit tx list --sender ${id}`);
  return notFound(`no transaction ${id} on this account`, 'check the profile with `remit whoami`');
}

async function byExternalId(client: Client, externalId: string): Promise<Transaction | undefined> {
  const { object } = await client.call(listTransactions, { query: { external_id: externalId } });
  return object.find((candidate) => candidate.external_id === externalId);
}

async function learnt(
  context: Context,
  transaction: Transaction,
  explicit: boolean,
): Promise<FoundTransaction> {
  await context.remember(seenIn(transaction));
  return { transaction, explicit };
}

export function seenIn(transaction: Transaction): Seen[] {
  const id = transaction.id ?? '';
  const externalId = transaction.external_id ?? undefined;
  const recipients = (transaction.recipients ?? []).map(
    (one): Seen => ({ kind: 'recipient', id: one.id ?? '', transactionId: id, externalId }),
  );
  const sender: Seen[] = transaction.sender?.id
    ? [{ kind: 'sender', id: transaction.sender.id, externalId: transaction.sender.external_id ?? undefined }]
    : [];
  return [{ kind: 'transaction', id, externalId }, ...recipients, ...sender];
}

export const seenRecipient = (recipient: Recipient): Seen => ({
  kind: 'recipient',
  id: recipient.id ?? '',
  transactionId: recipient.transaction_id ?? undefined,
});

export interface FoundRecipient {
  recipient: Recipient;
  transaction: Transaction;
  explicit: boolean;
}

export async function findRecipient(
  context: Context,
  given: string,
  options: { tx?: string | undefined; use: 'read' | 'write' },
): Promise<FoundRecipient> {
  const full = isUuid(given) ? given : await completeShortId(context, given, 'recipient');
  if (full === undefined)
    throw notFound(
      `"${given}" is not a recipient's id`,
      'an id looks like 6f2c1b1e-…: remit recipient list shows them',
    );
  if (options.use === 'write' && full !== given)
    throw usage(`"${given}" is a short id, and a write takes a full one`, `it stands for ${full}`);
  const { transaction } = await transactionOf(context, full, options.tx);
  const recipient = (transaction.recipients ?? []).find((one) => one.id === full);
  if (recipient) return { recipient, transaction, explicit: full === given };
  throw notFound(
    `transaction ${transaction.id} has no recipient ${full}`,
    `remit tx show ${transaction.id} lists them`,
  );
}

async function transactionOf(
  context: Context,
  id: string,
  tx: string | undefined,
): Promise<FoundTransaction> {
  if (tx !== undefined) return findTransaction(context, tx, 'read');
  const seen = await findSeen(context, id);
  if (seen?.kind === 'recipient' && seen.transactionId)
    return findTransaction(context, seen.transactionId, 'read');
  if (seen?.kind === 'transaction') throw isTransaction(id);
  const found = await scan(context, id);
  if (found) return findTransaction(context, found, 'read');
  throw (await isKnownTransaction(context, id))
    ? isTransaction(id)
    : notFound(
        `no recipient ${id} among the latest ${SCAN_PAGES * SCAN_PER} of this account`,
        'name its transaction: --tx ID or --tx EXTERNAL_ID',
      );
}

const isTransaction = (id: string): Failure =>
  notFound(
    `${id} is a transaction's id, not a recipient's`,
    `remit tx show ${id} lists its recipients; remit tx cancel cancels them all`,
  );

async function isKnownTransaction(context: Context, id: string): Promise<boolean> {
  const client = await context.client();
  try {
    await client.call(getTransaction, { path: { transaction_id: id } });
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

async function scan(context: Context, id: string): Promise<string | undefined> {
  const client = await context.client();
  let looked = 0;
  for await (const page of pages(client, listRecipients, { query: { per: SCAN_PER } })) {
    await context.remember(page.map(seenRecipient));
    const found = page.find((one) => one.id === id);
    if (found?.transaction_id) return found.transaction_id;
    if (++looked >= SCAN_PAGES) return undefined;
  }
  return undefined;
}

async function findSeen(context: Context, id: string): Promise<Seen | undefined> {
  try {
    return (await context.store()).seen.find(await scope(context), id);
  } catch {
    return undefined; // the index only saves a look-up
  }
}

async function completeShortId(
  context: Context,
  given: string,
  kind: Seen['kind'],
): Promise<string | undefined> {
  if (!/^[0-9a-f]{6,}[0-9a-f-]*$/i.test(given)) return undefined;
  let found: Seen[];
  try {
    found = (await context.store()).seen.startingWith(await scope(context), given.toLowerCase(), 20);
  } catch {
    return undefined;
  }
  const ids = [...new Set(found.filter((seen) => seen.kind === kind).map(({ id }) => id))];
  if (ids.length > 1) throw usage(`"${given}" stands for ${ids.length} ids`, ids.join(', '));
  return ids[0];
}

async function scope(context: Context): Promise<string> {
  const { name, baseUrl } = await context.connection();
  return `${name} ${baseUrl}`;
}
