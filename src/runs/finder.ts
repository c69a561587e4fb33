/**
 * A finder looks for the transactions that the service has under the external ids of rows: page by page or
 * one by one, whichever is fewer calls.
 */
import type { Client } from '../client/client.ts';
import { byExternalId, type PaymentFinder } from '../client/find-payment.ts';
import { onePage, pages } from '../client/pages.ts';
import { listTransactions } from '../contract/operations/transactions.ts';
import type { Transaction } from '../contract/resources/transaction.ts';

const PER = 100;

/** @param isWanted which external ids will be asked for; of others nothing is kept */
export async function finder(
  client: Client,
  rows: number,
  isWanted: (externalId: string) => boolean = () => true,
): Promise<PaymentFinder> {
  const alone = byExternalId(client);
  if (rows <= 1) return alone;
  const { total = Number.POSITIVE_INFINITY } = await onePage(client, listTransactions);
  if (Math.ceil(total / PER) > rows) return alone;
  const known = new Map<string, Transaction>();
  for await (const page of pages(client, listTransactions, { query: { per: PER } }))
    for (const one of page)
      if (one.external_id != null && isWanted(one.external_id)) known.set(one.external_id, one);
  return async (externalId) => {
    const found = known.get(externalId);
    // A list may show less than there is to judge by.
    return found !== undefined && found.recipients == null ? alone(externalId) : found;
  };
}
