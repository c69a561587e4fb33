/** The transaction that has an external id. */
import { listTransactions } from '../contract/operations/transactions.ts';
import type { Transaction } from '../contract/resources/transaction.ts';
import type { Client } from './client.ts';
import { readTransaction } from './debit-plan.ts';

/** Undefined where no transaction has it. */
export type PaymentFinder = (externalId: string) => Promise<Transaction | undefined>;

/** Whole: a list may show less of a transaction than there is to compare. */
export const byExternalId =
  (client: Client): PaymentFinder =>
  async (externalId) => {
    const { object } = await client.call(listTransactions, { query: { external_id: externalId } });
    const found = object.find(({ external_id: theirs }) => theirs === externalId);
    return found?.recipients == null && found?.id != null ? readTransaction(client, found.id) : found;
  };
