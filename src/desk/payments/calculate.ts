/** The rate and the amounts, seen before anything is paid. */
import { calculateTransaction } from '../../contract/operations/transactions.ts';
import type { Transaction, TransactionWrite } from '../../contract/resources/transaction.ts';
import type { Desk } from '../desk.ts';

/** @throws ApiError when the service refuses it */
export async function calculate(desk: Desk, body: TransactionWrite): Promise<Transaction> {
  const client = await desk.client();
  // A calculation stores nothing: our id of the payment stays unused.
  const { external_id: _, ...transaction } = body;
  return (await client.call(calculateTransaction, { body: { transaction } })).object;
}
