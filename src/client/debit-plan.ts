/** A debit as a plan. To know whether it was applied, the transaction that it funds is looked at. */
import { createDebits } from '../contract/operations/accounts.ts';
import { getTransaction } from '../contract/operations/transactions.ts';
import type { Debit, DebitWrite } from '../contract/resources/account.ts';
import type { Transaction } from '../contract/resources/transaction.ts';
import { invariant } from '../core/invariants.ts';
import { eq, toDecimal } from '../core/money.ts';
import type { Client } from './client.ts';
import { Contradiction } from './errors.ts';
import { isDead, isFunded } from './funded.ts';
import { attempt, type Sent, type WritePlan } from './outcome.ts';

export interface DebitAsked {
  debit: DebitWrite;
  /** The digest of the payment that it is the second half of: who asks for that again asks for this again. */
  payment?: string | undefined;
}

/** A debit carries no id of ours, and two would take the money twice: it is sent again only after its transaction was read again. */
export function planDebit(client: Client, asked: DebitAsked): WritePlan<Transaction> {
  const read = async () => readTransaction(client, asked.debit.to_id);
  const body = { debit: asked.debit };
  let isRead = true;
  return {
    body,
    async send(again) {
      invariant(isRead || !again, 'a debit is sent again only after its transaction was read as unfunded');
      isRead = false;
      const sent = await attempt(async () => {
        await client.call(createDebits, { body, expect: ({ object }) => answersDebit(asked.debit, object) });
        return { id: asked.debit.to_id } as Transaction;
      });
      return sent.kind === 'applied' ? afterwards(read, sent.value) : sent;
    },
    async look() {
      const found = await read();
      if (isFunded(found)) return { kind: 'applied', value: found };
      if (isDead(found)) return { kind: 'never', value: found, why: 'it is cancelled and was never funded' };
      isRead = true;
      return { kind: 'absent' };
    },
  };
}

/** Says what is wrong with these records as the answer to a debit; undefined where they are the answer. */
export function answersDebit(asked: DebitWrite, answered: readonly Debit[]): string | undefined {
  const found = answered.find(({ to_id }) => to_id?.toLowerCase() === asked.to_id.toLowerCase());
  if (found === undefined)
    return 'the answer is not the debit that was asked for: it names another transaction';
  const amount = toDecimal(found.amount ?? asked.amount);
  const wanted = toDecimal(asked.amount ?? found.amount);
  if (amount !== null && wanted !== null && !eq(amount, wanted))
    return `the answer is not the debit that was asked for: it is of ${amount}`;
  return undefined;
}

/**
 * The debit was accepted: a failure to read the transaction afterwards does not make that unsure. A transaction that reads as
 * unfunded does.
 */
async function afterwards(
  read: () => Promise<Transaction>,
  debited: Transaction,
): Promise<Sent<Transaction>> {
  let found: Transaction;
  try {
    found = await read();
  } catch {
    return { kind: 'applied', value: debited };
  }
  if (isFunded(found)) return { kind: 'applied', value: found };
  return {
    kind: 'unknown',
    error: new Contradiction('the debit was accepted, and the transaction reads as unfunded'),
  };
}

export async function readTransaction(client: Client, id: string): Promise<Transaction> {
  return (await client.call(getTransaction, { path: { transaction_id: id } })).object;
}
