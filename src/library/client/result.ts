/** Reads the outcome of a write that is over from the journal, with the record as it stands now. */
import type { Client } from '../../client/client.ts';
import { readTransaction } from '../../client/debit-plan.ts';
import { getPayinMethod } from '../../contract/operations/payin-methods.ts';
import { getPayoutMethod } from '../../contract/operations/payout-methods.ts';
import type { Intent } from '../../core/ports/intents.ts';
import type * as Public from '../client-types.ts';
import { applied } from './outcome.ts';

type SettledRecord = Public.Transaction | Public.Recipient | Public.PayoutMethod | Public.PayinMethod;

export async function readResult(
  client: Client,
  intent: Intent,
): Promise<Public.PlainOutcome<SettledRecord>> {
  const { state, note } = intent;
  if (state !== 'applied') {
    const why = note ?? 'it was not applied';
    return { outcome: 'not_applied', why, error: undefined, conflict: undefined };
  }
  const record = await recordOf(client, intent);
  if (record !== undefined) return applied(record, 'earlier');
  return {
    outcome: 'unknown',
    why: 'by the journal it was applied, and it cannot be read',
    error: undefined,
  };
}

async function recordOf(client: Client, intent: Intent): Promise<SettledRecord | undefined> {
  const { operation, resultId, subject, transactionId } = intent;
  const id = resultId ?? subject;
  if (id === undefined) return undefined;
  const [resource] = operation.split('.', 1);
  if (resource === 'transactions' || resource === 'debits') return readTransaction(client, id);
  if (resource === 'payout_methods')
    return (await client.call(getPayoutMethod, { path: { payout_method_id: id } })).object;
  if (resource === 'payin_methods')
    return (await client.call(getPayinMethod, { path: { payin_method_id: id } })).object;
  if (resource !== 'recipients' || transactionId === undefined) return undefined;
  const { recipients } = await readTransaction(client, transactionId);
  return recipients?.find((one) => one.id === id);
}
