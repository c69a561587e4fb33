/**
 * Funding a transaction from the balance. The plan is made of what was read, and exactly the amount and currency of it are sent,
 * so that what was shown is what is paid. If the process dies after the intent is written, the same wish again settles nothing
 * by itself: the transaction is read again before anything is sent.
 */

import { debitOf } from '../client/bound.ts';
import { isFunded } from '../client/funded.ts';
import type { Transaction } from '../contract/resources/transaction.ts';
import { isCalledOff } from '../contract/states/money.ts';
import { money } from '../core/amount-words.ts';
import { invariant } from '../core/invariants.ts';
import { type Hint, hint } from '../core/next.ts';
import { unsent } from '../core/problem.ts';
import { byPayouts } from './confirmation.ts';
import { releaseOnFailure } from './day-ceiling.ts';
import type { Desk } from './desk.ts';
import type { WritePermit, WriteStep } from './gate.ts';
import { idOf } from './lookup/id-of.ts';
import type { FoundTransaction } from './lookup/transaction.ts';
import { externalName, transactionName } from './store/daily-allowance-port.ts';
import { maskedRecipient, recipientLine } from './words/payment-lines.ts';
import { payQuestion } from './words/questions.ts';
import { type WriteRequest, write } from './write.ts';

export interface FundPlan {
  transaction: Transaction;
  step: WriteStep;
}

/** @throws Problem (conflict) where it takes no funds */
export function planFunding(
  { mask }: Pick<Desk, 'mask'>,
  { transaction, explicit }: FoundTransaction,
): FundPlan {
  refuseUnfundable(transaction);
  idOf(transaction, 'transaction');
  const { input_amount: amount, input_currency: currency, recipients } = transaction;
  return {
    transaction,
    step: {
      effect: 'money',
      explicitId: explicit,
      amounts: [{ amount, currency, names: paymentNames(transaction) }],
      question: payQuestion(amount, currency),
      confirm: byPayouts(recipients ?? [], [{ amount, currency }]),
      what: [
        `pay ${money(amount, currency)} from the balance`,
        ...(recipients ?? []).map((one) => `  ${recipientLine(one, mask)}`),
      ],
    },
  };
}

/** The names under which a payment is counted for the day. */
export const paymentNames = ({ id, external_id: externalId }: Transaction): string[] => [
  ...(id ? [transactionName(id)] : []),
  ...(externalId ? [externalName(externalId)] : []),
];

/** The payment that is created and then debited in one command. */
export interface CreateThenFund {
  /** The digest of the payment. */
  payment: string;
  /** The caller's own id for it. */
  givenId: string | undefined;
}

export interface Funded {
  /** The transaction as it reads now, or as it read before where it could not be read again. */
  transaction: Transaction;
  notes: string[];
}

/** @throws Problem where it was not funded, or it is unknown */
export async function fund(
  desk: Desk,
  permit: WritePermit,
  { transaction }: FundPlan,
  { newPayment, half }: { newPayment: boolean; half?: CreateThenFund },
): Promise<Funded> {
  const { id, input_amount: amount, input_currency: currency, recipients = [] } = transaction;
  invariant(id && !isFunded(transaction), 'what is funded is a transaction that reads as unfunded');
  const request: WriteRequest = {
    asked: {
      plan: 'debit',
      debit: debitOf(transaction),
      ...(half && { payment: half.payment }),
    },
    externalId: half?.givenId,
    subject: id,
    transactionId: id,
    amount: amount ?? undefined,
    currency: currency ?? undefined,
    summary: `${money(amount, currency)} for ${(recipients ?? []).map(maskedRecipient).join('; ')}`,
    newPayment,
  };
  const { value } = await releaseOnFailure(desk, permit, {
    names: paymentNames(transaction),
    work: () => write<Transaction>(desk, permit, request),
  });
  if (value.state) return { transaction: value, notes: [] };
  return {
    transaction,
    notes: ['it is funded; it could not be read again: this is how it was before'],
  };
}

function refuseUnfundable(transaction: Transaction): void {
  const { id, state } = transaction;
  if (state === 'approved') return;
  const isOff = isCalledOff(state);
  const message =
    isFunded(transaction) && !isOff
      ? `transaction ${id} is funded already (state: ${state})`
      : `transaction ${id} cannot be funded (state: ${state})`;
  throw unsent('conflict', 'not_fundable', message, hintFor(transaction, isOff));
}

function hintFor({ id, state }: Transaction, isOff: boolean): Hint {
  if (state === 'initial') return 'wait until its sender is approved';
  if (isOff) return hint`create it again: ${{ do: 'create_payment' }}`;
  return hint`${{ do: 'show_transaction', id: id ?? '' }}`;
}
