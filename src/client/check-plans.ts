/** Plans that ask the service about a payment, or make a sandbox act on one: no money of ours moves. */

import { forcePayin, forcePayout, validateTransaction } from '../contract/operations/transactions.ts';
import type { PayinMethodWrite } from '../contract/resources/payment-method.ts';
import type { FlowDiscovery, Transaction, TransactionWrite } from '../contract/resources/transaction.ts';
import { isPaidOut } from '../contract/states/money.ts';
import type { Client } from './client.ts';
import { readTransaction } from './debit-plan.ts';
import { nothingToSee, type PlainPlan } from './directory-plans.ts';
import { attempt } from './outcome.ts';
import { sending } from './sending.ts';

/** It creates nothing, and sent twice it does no more: a lost answer is asked for again. */
export function planValidation(
  client: Client,
  transaction: TransactionWrite | FlowDiscovery,
): PlainPlan<Transaction> {
  const body = { transaction };
  return {
    repeatable: true,
    ...sending(client, validateTransaction, { body }),
    look: nothingToSee(client),
  };
}

/** Sandbox only: what waits for a provider is paid out. It moves no money of ours, and is not sent again. */
export function planForcedPayout(client: Client, id: string): PlainPlan<Transaction> {
  const path = { transaction_id: id };
  return forced(client, id, {
    send: () => client.call(forcePayout, { path }),
    isDone: ({ recipients }) => recipients?.every(({ state }) => isPaidOut(state)) ?? false,
  });
}

/** Sandbox only: the collection of this type succeeds. */
export function planForcedPayin(
  client: Client,
  id: string,
  method: PayinMethodWrite,
): PlainPlan<Transaction> {
  const path = { transaction_id: id };
  return forced(client, id, {
    send: () => client.call(forcePayin, { path, body: { payin_method: method } }),
    isDone: ({ payin_methods: payins }) =>
      payins?.some(({ type, state }) => type === method.type && state === 'success') ?? false,
  });
}

function forced(
  client: Client,
  id: string,
  { send, isDone }: { send(): Promise<{ object: Transaction }>; isDone(found: Transaction): boolean },
): PlainPlan<Transaction> {
  return {
    repeatable: false,
    send: () => attempt(async () => (await send()).object),
    async look() {
      const value = await readTransaction(client, id);
      return isDone(value) ? { kind: 'applied', value } : { kind: 'absent' };
    },
  };
}
