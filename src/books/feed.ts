/**
 * The books are brought up to date by what the service said elsewhere: an event of a webhook, the answer to a
 * payment. It may come late, twice, and in any order, so what is not certain to be newer changes nothing: the
 * next `sync` asks the service.
 */
import { readJson } from '../client/json.ts';
import {
  type Recipient,
  recipient as recipientShape,
  type Transaction,
  transaction as transactionShape,
} from '../contract/resources/transaction.ts';
import { recipientMoves } from '../contract/states/recipient-moves.ts';
import { transactionMoves } from '../contract/states/transaction-moves.ts';
import { asBuffer } from '../core/bytes.ts';
import type { HeardAnswer, RawDelivery } from '../payments/desk.ts';
import { bookEntryOf } from './entry.ts';
import type { BookEntry, Books, StoredEntries } from './store/port.ts';

/** Only these say anything of a transaction that the books keep. */
export const concernsBooks = (event: string): boolean => /^(?:transaction|recipient)\./.test(event);

export async function feedAnswers(books: Books, answers: readonly HeardAnswer[]): Promise<StoredEntries> {
  const from = (await books.progress()).forgottenBefore ?? Number.NEGATIVE_INFINITY;
  const entries = answers.flatMap(({ transaction, heardAt }) => bookEntryOf(transaction, heardAt) ?? []);
  return books.keep(entries.filter(({ createdAt }) => createdAt >= from));
}

/** Takes events in the order in which they came, the first one first. */
export async function feedEvents(books: Books, events: readonly RawDelivery[]): Promise<StoredEntries> {
  const { forgottenBefore = Number.NEGATIVE_INFINITY } = await books.progress();
  /** The state of each transaction: of several events of one transaction the second is put upon the first. */
  const standing = new Map<string, Standing>();
  const entries: BookEntry[] = [];
  for (const { event, body, receivedAt } of events) {
    const object = await objectOf(event, body);
    const id = (object?.of === 'recipient' ? object.recipient.transaction_id : object?.transaction.id) ?? '';
    if (object === undefined || id === '') continue;
    const stands = standing.get(id.toLowerCase()) ?? (await standingOf(books, id.toLowerCase()));
    const entry =
      object.of === 'transaction'
        ? ofTransaction(object.transaction, stands, receivedAt)
        : ofRecipient(object.recipient, stands);
    if (entry === undefined || entry.createdAt < forgottenBefore) continue;
    standing.set(entry.id, { transaction: JSON.parse(entry.body) as Transaction, entry });
    entries.push(entry);
  }
  return books.keep(entries);
}

type Said = { of: 'transaction'; transaction: Transaction } | { of: 'recipient'; recipient: Recipient };

/** Returns the object of an event; undefined where it cannot be read. */
async function objectOf(event: string, body: Uint8Array): Promise<Said | undefined> {
  if (!concernsBooks(event)) return undefined;
  try {
    const { object } = (await readJson(asBuffer(body).toString('utf8'))) as { object?: unknown };
    if (event.startsWith('recipient.')) return { of: 'recipient', recipient: recipientShape.parse(object) };
    return { of: 'transaction', transaction: transactionShape.parse(object) };
  } catch {
    return undefined;
  }
}

interface Standing {
  transaction: Transaction;
  entry: BookEntry;
}

async function standingOf(books: Books, id: string): Promise<Standing | undefined> {
  const kept = await books.entry(id);
  if (kept === undefined) return undefined;
  const transaction = JSON.parse(kept.body) as Transaction;
  const entry = bookEntryOf(transaction, kept.heardAt);
  return entry && { transaction, entry };
}

/**
 * It is certain how the record stood when it last changed, and not that it stood so when the event came: a delivery may be tried
 * again for hours. A recipient may move without a change of its transaction's time, so of two that last changed at one moment
 * only the state can tell.
 */
function ofTransaction(
  said: Transaction,
  stands: Standing | undefined,
  receivedAt: number,
): BookEntry | undefined {
  const entry = bookEntryOf(said, receivedAt);
  if (entry === undefined) return undefined;
  const { changedAt, isFinal, state } = entry;
  if (stands !== undefined && changedAt === stands.entry.changedAt) {
    const ends = isFinal && !stands.entry.isFinal;
    if (!ends && !isAfter(transactionMoves, stands.transaction.state, state)) return undefined;
    return { ...entry, heardAt: stands.entry.heardAt };
  }
  return { ...entry, heardAt: Math.min(receivedAt, changedAt) };
}

/**
 * It has no time of its own. It is put into the transaction that stands where its state can only come after the one there; the
 * whole stays open and as old as it was, so that the next `sync` reads it.
 */
function ofRecipient(said: Recipient, stands: Standing | undefined): BookEntry | undefined {
  if (stands === undefined || stands.entry.isFinal) return undefined;
  const { transaction, entry } = stands;
  const before = transaction.recipients?.find(({ id }) => id === said.id);
  if (before === undefined || !isAfter(recipientMoves, before.state, said.state)) return undefined;
  const recipients = transaction.recipients?.map((one) => (one === before ? { ...one, ...said } : one));
  const state = isAfter(transactionMoves, transaction.state, said.transaction_state)
    ? said.transaction_state
    : transaction.state;
  const merged = bookEntryOf({ ...transaction, state, recipients }, entry.heardAt);
  // When it happened is not said: what moved a balance, and when, the next `sync` reads.
  return merged && { ...merged, isFinal: false, marks: entry.marks };
}

/** True where a thing can only be in the second state after it was in the first, as far as its moves are known. */
function isAfter(
  moves: readonly { from: string; to: string }[],
  first: string | null | undefined,
  second: string | null | undefined,
): boolean {
  return !!first && !!second && leadsTo(moves, first, second) && !leadsTo(moves, second, first);
}

function leadsTo(moves: readonly { from: string; to: string }[], from: string, to: string): boolean {
  const reached = new Set([from]);
  for (const state of reached)
    for (const move of moves) if (move.from === state && move.to !== state) reached.add(move.to);
  return reached.has(to);
}
