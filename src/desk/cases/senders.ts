/**
 * Who sent the money of a payout: the caller is often the sender, and the service's list of recipients does not say. The books on
 * this machine are asked first; what they lack is read from the service, a few payments and no more (docs/wire.md 13).
 */
import { getTransaction } from '../../contract/operations/transactions.ts';
import type { Sender } from '../../contract/resources/sender.ts';
import type { Transaction } from '../../contract/resources/transaction.ts';
import { booksIfAny } from '../books/open-books.ts';
import type { Desk } from '../desk.ts';
import { fullName } from '../words/person.ts';

export type WithSender = { sender?: Sender | null | undefined };

/** Payments that are read for their senders, at most. */
const MOST_READ = 50;

export interface Senders {
  /**
   * Returns the sender in the books; undefined where there are none, or they are kept without names. Asks the
   * service for nothing.
   */
  inBooks(transactionId: string): Promise<Sender | undefined>;
  /** Reads the payment, once each. Undefined where too many were read, or it cannot be read. */
  atService(transactionId: string): Promise<Sender | undefined>;
}

export function sendersOf(desk: Desk): Senders {
  let opened: ReturnType<typeof booksIfAny> | undefined;
  const read = new Map<string, Promise<Sender | undefined>>();
  const named = ({ sender }: Transaction): Sender | undefined =>
    sender && fullName(sender) !== '' ? sender : undefined;
  const ask = async (id: string): Promise<Sender | undefined> => {
    const client = await desk.client();
    return named((await client.call(getTransaction, { path: { transaction_id: id } })).object);
  };
  return {
    async inBooks(id) {
      try {
        opened ??= booksIfAny(desk);
        const body = await (await opened)?.books.get(id.toLowerCase());
        return body === undefined ? undefined : named(JSON.parse(body) as Transaction);
      } catch {
        return undefined;
      }
    },
    async atService(id) {
      const before = read.get(id);
      if (before !== undefined) return before;
      if (read.size >= MOST_READ) return undefined;
      const asked = ask(id).catch(() => undefined);
      read.set(id, asked);
      return asked;
    },
  };
}
