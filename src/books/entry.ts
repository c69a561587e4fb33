/** A transaction of the service as the books keep it. */
import { isDead } from '../client/funded.ts';
import type { Transaction } from '../contract/resources/transaction.ts';
import { type RecipientState, recipientStates } from '../contract/states/recipient.ts';
import { type TransactionState, transactionStates } from '../contract/states/transaction.ts';
import { findsOf } from '../payments/finds.ts';
import { marksOf } from './marks.ts';
import type { BookEntry } from './store/port.ts';

/** @param heardAt when it was asked for, by our clock. Undefined for a record without an id, which cannot be found again */
export function bookEntryOf(transaction: Transaction, heardAt: number): BookEntry | undefined {
  const { id, external_id: externalId, state, created_at: created, updated_at: updated } = transaction;
  if (!id) return undefined;
  const createdAt = timeOf(created) ?? 0;
  const changedAt = timeOf(updated) ?? createdAt;
  return {
    id: id.toLowerCase(),
    externalId: externalId ?? undefined,
    state: state ?? '',
    isFinal: isFinal(transaction),
    createdAt,
    changedAt,
    heardAt,
    recipients: transaction.recipients?.length ?? 0,
    body: JSON.stringify(transaction),
    finds: findsOf(transaction),
    marks: marksOf(transaction, { createdAt, changedAt }),
  };
}

function timeOf(text: string | null | undefined): number | undefined {
  const at = text == null ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}

/**
 * True where no part of a transaction moves any more. A cancelled one that was never funded is over; one that
 * was funded waits for its refund.
 */
export function isFinal(transaction: Transaction): boolean {
  if (isDead(transaction)) return true;
  const known = transactionStates[transaction.state as TransactionState];
  const recipients = transaction.recipients ?? [];
  return known?.terminal === true && recipients.every(({ state }) => isOver(state));
}

const isOver = (state: string | null | undefined): boolean =>
  recipientStates[state as RecipientState]?.terminal === true;
