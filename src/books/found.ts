/** A payout that a search of the books found, as it is published, and how old the books are. */
import type { Recipient, Transaction } from '../contract/resources/transaction.ts';
import { isoTime } from '../core/clock.ts';
import { type Hint, hint } from '../core/next.ts';
import type { Hit } from './search.ts';
import type { Books } from './store/port.ts';

/** A recipient as in a list of them; a payment that has none stands with its own id and state. */
export type FoundRow = Recipient & {
  sender: Transaction['sender'];
  /** The members that the words fitted. */
  why: string;
  /** True where one of them fitted the sender alone. */
  by_sender: boolean;
  /** When the books read it. */
  as_of: string;
};

/** A recipient with what its payment says; a payment that has none stands as it is. */
export function foundRow({ transaction, recipient, why, heardAt, isBySender }: Hit): FoundRow {
  const { id, external_id: externalId, state, created_at: createdAt, sender } = transaction;
  const own: Recipient = recipient ?? { id, state: state as Recipient['state'] };
  return {
    ...own,
    transaction_id: id,
    transaction_external_id: externalId,
    external_id: externalId ?? own.external_id,
    transaction_state: state,
    created_at: own.created_at ?? createdAt,
    sender,
    why: why.join(', '),
    by_sender: isBySender,
    as_of: isoTime(heardAt),
  };
}

/** How old what was found may be. */
export async function ageNote(books: Books): Promise<Hint> {
  const { completeAt } = await books.progress();
  if (completeAt === undefined) return hint`The books are not complete yet: ${{ do: 'sync_books' }}`;
  return hint`The books are complete until ${isoTime(completeAt)}. What is newer: ${{ do: 'sync_books' }}`;
}
