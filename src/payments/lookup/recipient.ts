/**
 * Finds one recipient by what a person has of it. There is no call that reads one (docs/rules.md 12): its transaction comes from the
 * index of ids seen, from --tx, or from a bounded scan that says how far it looked. An external id names a transaction: where
 * that has one recipient it is meant, where it has several they are listed.
 */

import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import { pages } from '../../client/pages.ts';
import { listRecipients } from '../../contract/operations/recipients.ts';
import { getTransaction } from '../../contract/operations/transactions.ts';
import type { Recipient, Transaction } from '../../contract/resources/transaction.ts';
import { isUuid } from '../../core/ids.ts';
import { hint, type Next } from '../../core/next.ts';
import { Ambiguous, notFound, type Problem } from '../../core/problem.ts';
import type { Progress } from '../../core/progress.ts';
import type { Desk } from '../desk.ts';
import { recipientLine } from '../words/payment-lines.ts';
import {
  completeShortId,
  findSeen,
  findTransaction,
  lookingUp,
  refuseShort,
  seenIn,
  seenRecipient,
  tooShort,
  transactionByExternalId,
  type Use,
} from './transaction.ts';

const SCAN_PAGES = 10;
const SCAN_PER = 100;

export interface FoundRecipient {
  recipient: Recipient;
  transaction: Transaction;
  /** False when a short id was completed. */
  explicit: boolean;
}

export interface HowToFind {
  tx?: string | undefined;
  use: Use;
}

/** @throws Problem (not found), Ambiguous where it may be one of several */
export const findRecipient = (desk: Desk, given: string, options: HowToFind): Promise<FoundRecipient> =>
  lookingUp(options.use, () => findOne(desk, given, options));

async function findOne(desk: Desk, given: string, options: HowToFind): Promise<FoundRecipient> {
  if (isUuid(given)) return byId(desk, given, options.tx, true);
  const client = await desk.client();
  const paid = await transactionByExternalId(client, given);
  if (paid !== undefined) return onlyRecipient(desk, paid, given);
  const full = await completeShortId(desk, given, 'recipient');
  if (full === undefined)
    throw notFound(
      `no recipient has the id "${given}", and no payment the external id${tooShort(given)}`,
      hint`an id looks like 6f2c1b1e-…: ${{ do: 'list_recipients' }} shows them`,
    );
  refuseShort(given, full, options.use);
  return byId(desk, full, options.tx, false);
}

/** Each of them once, and none where one of them cannot be found: several are asked for together. */
export async function findRecipients(
  desk: Desk,
  given: readonly string[],
  options: HowToFind,
  find = findRecipient,
): Promise<FoundRecipient[]> {
  const found = new Map<string, FoundRecipient>();
  for (const one of given) {
    const recipient = await find(desk, one, options);
    found.set(recipient.recipient.id ?? one, recipient);
  }
  return [...found.values()];
}

/** An id of a recipient; or of a payment, where it has one recipient. */
export async function foundAny(desk: Desk, id: string): Promise<FoundRecipient> {
  try {
    return await findRecipient(desk, id, { use: 'read' });
  } catch (error) {
    try {
      return await findRecipientOf(desk, id);
    } catch {
      throw error;
    }
  }
}

async function byId(
  desk: Desk,
  given: string,
  tx: string | undefined,
  explicit: boolean,
): Promise<FoundRecipient> {
  const id = given.toLowerCase();
  const { transaction, ...found } = await transactionOf(desk, { given, id }, tx);
  const recipient = found.recipient ?? (transaction.recipients ?? []).find((one) => one.id === id);
  if (recipient) return { recipient, transaction, explicit };
  throw notFound(
    `transaction ${transaction.id} has no recipient ${id}`,
    hint`${showing(transaction.id)} lists its recipients`,
  );
}

/** The recipient of a transaction whose id is known, both as they are now. @throws Problem (not found), Ambiguous where it has several */
export const findRecipientOf = (desk: Desk, transactionId: string): Promise<FoundRecipient> =>
  lookingUp('write', async () => {
    const { transaction } = await findTransaction(desk, transactionId, 'read');
    return onlyRecipient(desk, transaction, transaction.external_id ?? transactionId);
  });

/** @throws Ambiguous where it has several */
async function onlyRecipient(desk: Desk, transaction: Transaction, given: string): Promise<FoundRecipient> {
  await desk.remember(seenIn(transaction));
  const recipients = transaction.recipients ?? [];
  const [only, ...more] = recipients;
  if (only === undefined) throw notFound(`the payment ${given} has no recipients`);
  if (more.length === 0) return { recipient: only, transaction, explicit: true };
  throw new Ambiguous<FoundRecipient>(
    `the payment ${given} has ${recipients.length} recipients: which one?`,
    `Which recipient of ${given}?`,
    recipients.map((recipient) => ({
      id: recipient.id ?? '',
      line: `${recipient.state}  ${recipientLine(recipient, desk.mask)}`,
      take: async () => ({ recipient, transaction, explicit: true }),
    })),
  );
}

/** `given` may be an external id of that form, which is looked for as it was typed. */
async function transactionOf(
  desk: Desk,
  { given, id }: { given: string; id: string },
  tx: string | undefined,
): Promise<{ transaction: Transaction; recipient?: Recipient }> {
  if (tx !== undefined) return findTransaction(desk, tx, 'read');
  const seen = await findSeen(desk, id);
  if (seen?.kind === 'recipient' && seen.transactionId)
    return findTransaction(desk, seen.transactionId, 'read');
  if (seen?.kind === 'transaction') throw isTransaction(id);
  const client = await desk.client();
  const { transactionId, looked } = await desk.working('looking through recipients', (progress) =>
    scan(desk, client, id, progress),
  );
  if (transactionId !== undefined) return findTransaction(desk, transactionId, 'read');
  if (await isKnownTransaction(client, id)) throw isTransaction(id);
  const paid = await transactionByExternalId(client, given);
  if (paid !== undefined) return onlyRecipient(desk, paid, given);
  throw notFound(
    `no recipient ${id} among the ${looked} latest of this account`,
    hint`name its transaction: ${{ give: 'tx', value: 'ID' }} or ${{ give: 'tx', value: 'EXTERNAL_ID' }}`,
  );
}

const showing = (id: string | null | undefined): Next => ({ do: 'show_transaction', id: id ?? '' });

const isTransaction = (id: string): Problem =>
  notFound(
    `${id} is a transaction's id, not a recipient's`,
    hint`${showing(id)} lists its recipients; ${{ do: 'cancel_transaction' }} cancels them all`,
  );

async function isKnownTransaction(client: Client, id: string): Promise<boolean> {
  try {
    await client.call(getTransaction, { path: { transaction_id: id } });
    return true;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}

interface Scan {
  transactionId?: string;
  /** How many were looked at. */
  looked: number;
}

async function scan(desk: Desk, client: Client, id: string, progress: Progress): Promise<Scan> {
  let looked = 0;
  let read = 0;
  for await (const page of pages(client, listRecipients, { query: { per: SCAN_PER } })) {
    await desk.remember(page.map(seenRecipient));
    looked += page.length;
    progress.tell(looked);
    const found = page.find((one) => one.id === id);
    if (found?.transaction_id) return { transactionId: found.transaction_id, looked };
    if (++read >= SCAN_PAGES) break;
  }
  return { looked };
}
