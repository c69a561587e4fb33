/**
 * From what a person has to one recipient. There is no call that reads one (PRODUCT rule 12): its transaction comes from the
 * index of ids seen, from --tx, or from a bounded scan that says how far it looked. An external id names a transaction: where
 * that has one recipient it is meant, where it has several they are listed.
 */

import { chooseOne } from '../../cli/ask/choose-one.ts';
import type { Argument, Flag } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import { type Progress, withProgress } from '../../cli/terminal/progress.ts';
import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import { pages } from '../../client/pages.ts';
import { listRecipients } from '../../contract/operations/recipients.ts';
import { getTransaction } from '../../contract/operations/transactions.ts';
import type { Recipient, Transaction } from '../../contract/resources/transaction.ts';
import { isUuid } from '../../core/ids.ts';
import { type Failure, notFound, usage } from '../../core/problem.ts';
import { recipientLine } from '../words/payment-lines.ts';
import {
  byExternalId,
  completeShortId,
  findSeen,
  findTransaction,
  lookingUp,
  seenIn,
  seenRecipient,
  type Use,
} from './transaction.ts';

const SCAN_PAGES = 10;
const SCAN_PER = 100;

export const recipientArgument: Argument = {
  name: 'ID',
  summary: 'the recipient’s id, or the external id of a payment to one recipient',
};
export const txFlag: Flag = {
  flags: '--tx <id>',
  summary: 'its transaction (id or external id), where remit has not seen it yet',
};

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

/** @throws Failure (not found; usage where it may be one of several, with all of them) */
export const findRecipient = (context: Context, given: string, options: HowToFind): Promise<FoundRecipient> =>
  lookingUp(options.use, () => find(context, given, options));

async function find(context: Context, given: string, options: HowToFind): Promise<FoundRecipient> {
  if (isUuid(given)) return byId(context, given, options.tx, true);
  const client = await context.client();
  const paid = await byExternalId(client, given);
  if (paid !== undefined) return onlyRecipient(context, paid, given);
  const full = await completeShortId(context, given, 'recipient');
  if (full === undefined)
    throw notFound(
      `no recipient has the id "${given}", and no payment the external id`,
      'an id looks like 6f2c1b1e-…: remit recipient list shows them',
    );
  if (options.use === 'write')
    throw usage(`"${given}" is a short id, and a write takes a full one`, `it stands for ${full}`);
  return byId(context, full, options.tx, false);
}

/** Each of them once, and none where one of them cannot be found: several are asked for together. */
export async function findRecipients(
  context: Context,
  given: readonly string[],
  options: HowToFind,
): Promise<FoundRecipient[]> {
  const found = new Map<string, FoundRecipient>();
  for (const one of given) {
    const recipient = await findRecipient(context, one, options);
    found.set(recipient.recipient.id ?? one, recipient);
  }
  return [...found.values()];
}

async function byId(
  context: Context,
  id: string,
  tx: string | undefined,
  explicit: boolean,
): Promise<FoundRecipient> {
  const { transaction, ...found } = await transactionOf(context, id, tx);
  const recipient = found.recipient ?? (transaction.recipients ?? []).find((one) => one.id === id);
  if (recipient) return { recipient, transaction, explicit };
  throw notFound(
    `transaction ${transaction.id} has no recipient ${id}`,
    `remit tx show ${transaction.id} lists its recipients`,
  );
}

/** @throws Failure (usage) with every candidate, where nobody can be asked which one is meant */
async function onlyRecipient(
  context: Context,
  transaction: Transaction,
  given: string,
): Promise<FoundRecipient> {
  await context.remember(seenIn(transaction));
  const candidates = (transaction.recipients ?? []).map((item) => ({
    item,
    id: item.id ?? '',
    line: `${item.state}  ${recipientLine(item, context.mask)}`,
  }));
  const [only, ...more] = candidates;
  if (only === undefined) throw notFound(`the payment ${given} has no recipients`);
  if (more.length === 0) return { recipient: only.item, transaction, explicit: true };
  const recipient = await chooseOne(context, candidates, {
    message: `the payment ${given} has ${candidates.length} recipients: which one?`,
    question: `Which recipient of ${given}?`,
  });
  return { recipient, transaction, explicit: true };
}

async function transactionOf(
  context: Context,
  id: string,
  tx: string | undefined,
): Promise<{ transaction: Transaction; recipient?: Recipient }> {
  if (tx !== undefined) return findTransaction(context, tx, 'read');
  const seen = await findSeen(context, id);
  if (seen?.kind === 'recipient' && seen.transactionId)
    return findTransaction(context, seen.transactionId, 'read');
  if (seen?.kind === 'transaction') throw isTransaction(id);
  const client = await context.client();
  const { transactionId, looked } = await withProgress(context, 'looking through recipients', (progress) =>
    scan(context, client, id, progress),
  );
  if (transactionId !== undefined) return findTransaction(context, transactionId, 'read');
  if (await isKnownTransaction(client, id)) throw isTransaction(id);
  const paid = await byExternalId(client, id);
  if (paid !== undefined) return onlyRecipient(context, paid, id);
  throw notFound(
    `no recipient ${id} among the ${looked} latest of this account`,
    'name its transaction: --tx ID or --tx EXTERNAL_ID',
  );
}

const isTransaction = (id: string): Failure =>
  notFound(
    `${id} is a transaction's id, not a recipient's`,
    `remit tx show ${id} lists its recipients; remit tx cancel cancels them all`,
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

interface Scanned {
  transactionId?: string;
  /** How many were looked at. */
  looked: number;
}

async function scan(context: Context, client: Client, id: string, progress: Progress): Promise<Scanned> {
  let looked = 0;
  let read = 0;
  for await (const page of pages(client, listRecipients, { query: { per: SCAN_PER } })) {
    await context.remember(page.map(seenRecipient));
    looked += page.length;
    progress.tell(looked);
    const found = page.find((one) => one.id === id);
    if (found?.transaction_id) return { transactionId: found.transaction_id, looked };
    if (++read >= SCAN_PAGES) break;
  }
  return { looked };
}
