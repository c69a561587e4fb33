/**
 * Foresees a refusal: a payment that the service would refuse once the transaction is there is refused before, so that
 * no transaction is left behind (decision 0003). A balance or a sender that cannot be read is no reason against a
 * payment: the service itself refuses it later.
 */
import { listAccounts } from '../contract/operations/accounts.ts';
import { getSender, listSenders } from '../contract/operations/senders.ts';
import type { Sender } from '../contract/resources/sender.ts';
import type { TransactionWrite } from '../contract/resources/transaction.ts';
import { type Decimal, gt, sub } from '../core/money.ts';
import type { Client } from './client.ts';
import { isCallError } from './errors.ts';
import { type Cost, costText } from './limit.ts';

export interface Hopeless {
  code: 'sender_not_approved' | 'insufficient_balance';
  message: string;
}

/** Why this payment would be refused; undefined where nothing says so. */
export async function predictedRefusal(
  client: Client,
  { sender }: Pick<TransactionWrite, 'sender'>,
  { input_amount: cost, input_currency: currency }: Cost,
): Promise<Hopeless | undefined> {
  const [held, payer] = await Promise.all([
    readable(readBalances(client)),
    readable(senderOf(client, sender)),
  ]);
  if (payer !== undefined && payer.state !== 'approved')
    return {
      code: 'sender_not_approved',
      message: `sender ${payer.id ?? ''} is not approved: ${payer.state ?? 'state unknown'}`,
    };
  if (held === undefined || !cost || !currency) return undefined;
  const there = held.get(currency) ?? '0';
  if (!gt(cost, there)) return undefined;
  return {
    code: 'insufficient_balance',
    message: `it costs ${costText(cost, currency)}, and the balance is ${costText(there, currency)}: ${costText(sub(cost, there), currency)} is missing`,
  };
}

/** Reads balances anew: values of five minutes ago must not decide. */
export async function readBalances(client: Client): Promise<ReadonlyMap<string, Decimal>> {
  const { object } = await client.call(listAccounts);
  return new Map(
    object.flatMap(({ currency, amount }) =>
      currency && amount != null ? [[currency, amount] as const] : [],
    ),
  );
}

async function readable<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isCallError(error)) return undefined;
    throw error;
  }
}

/** Undefined for one that is made with the payment. */
async function senderOf(
  client: Client,
  { id, external_id: externalId }: TransactionWrite['sender'],
): Promise<Sender | undefined> {
  if (typeof id === 'string') return (await client.call(getSender, { path: { sender_id: id } })).object;
  if (typeof externalId !== 'string') return undefined;
  const { object } = await client.call(listSenders, { query: { external_id: externalId } });
  return object.find(({ external_id: theirs }) => theirs === externalId);
}
