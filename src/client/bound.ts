/**
 * A payment under a limit. A call that creates and pays at once takes the rate of that moment, so a limit could only be compared with the rate of
 * a moment before. Here the transaction is created, its amount is compared with the limit, and a debit of exactly that amount pays it: the
 * service refuses any other (decision 0003). The command line and the library both pay so; each adds its intents and its words.
 *
 * If the process dies:
 *   before the creation's intent    nothing was sent.
 *   before its answer               the intent stands open. Settling finds the transaction, or creates it: nothing is paid by that.
 *   after it                        the transaction stands unpaid for its hour. The same call finds it, by its external id or in the journal,
 *                                   compares it with the limit of then, and pays it. Later the service has cancelled it, and nothing was paid.
 *                                   One with other money or another payee is paid by neither.
 *   while the library calls it off  the same: what was not cancelled ends by itself.
 *   before the debit's answer       the debit's intent stands open. Settling reads the transaction before anything is sent.
 *   after it                        the user was not told: the same call gets what stands.
 */
import { calculateTransaction } from '../contract/operations/transactions.ts';
import type { DebitWrite } from '../contract/resources/account.ts';
import type { Transaction, TransactionWrite } from '../contract/resources/transaction.ts';
import { isCalledOff } from '../contract/states/money.ts';
import { invariant } from '../core/invariants.ts';
import type { Client } from './client.ts';
import { isMadeOtherwise } from './closing.ts';
import { transactionDifferences } from './compare.ts';
import { isDead, isFunded, NEVER_FUNDED } from './funded.ts';
import { isAbove } from './limit.ts';
import type { Outcome } from './outcome.ts';
import type { Intent } from './store/port.ts';
import type { Asked } from './writes.ts';

/** The steps of a bound payment, as each front end carries them out. */
export interface BoundSteps<Made, End> {
  /** Creates it unpaid, or finds what an earlier try created. `ended` where it cannot go on. */
  create(): Promise<
    { made: Made; transaction: Transaction; intent: Pick<Intent, 'state' | 'note'> } | { ended: End }
  >;
  /** An earlier try paid it, and did not live to see it. */
  paidBefore(made: Made): Promise<End>;
  /** It was called off before anybody paid it. */
  over(made: Made): Promise<End>;
  /** It costs more than the limit: nothing is paid. */
  above(made: Made): Promise<End>;
  /** It has other money or another payee than `asked`: nothing more is paid for it, and a person looks at it. */
  otherwise(made: Made): Promise<End>;
  /** Debits exactly what it costs (`debitOf`). */
  pay(made: Made): Promise<End>;
}

/** Pays at most `most`, or nothing. */
export async function payBound<Made, End>(
  { most, asked }: { most: string; asked: TransactionWrite },
  steps: BoundSteps<Made, End>,
): Promise<End> {
  const created = await steps.create();
  if ('ended' in created) return created.ended;
  const { made, transaction, intent } = created;
  if (isCalledOff(transaction.state)) return steps.over(made);
  if (isMadeOtherwise(intent)) return steps.otherwise(made);
  if (isFunded(transaction)) return steps.paidBefore(made);
  if (!isSamePayment(asked, transaction)) return steps.otherwise(made);
  if (isAbove(transaction, most)) return steps.above(made);
  return steps.pay(made);
}

/** A debit of exactly what the transaction costs, as far as that can be read: the service refuses another amount (docs/wire.md 4). */
export function debitOf({ id, input_amount: amount, input_currency: currency }: Transaction): DebitWrite {
  invariant(id, 'what is funded has an id');
  return {
    to_id: id,
    to_type: 'Transaction',
    ...(amount && currency ? { amount, currency: currency.toUpperCase() } : {}),
  };
}

/** A calculation stores nothing: our id of the payment stays unused. @throws ApiError where the service refuses it */
export async function calculated(client: Client, body: TransactionWrite): Promise<Transaction> {
  const { external_id: _, ...transaction } = body;
  return (await client.call(calculateTransaction, { body: { transaction } })).object;
}

/** True where the transaction is the payment that is asked for, under whichever external id and however its details are written. */
export const isSamePayment = (asked: TransactionWrite, found: Transaction): boolean =>
  transactionDifferences({ ...asked, external_id: found.external_id ?? '' }, found).length === 0;

/** It was created by an earlier try and not paid: its own amount is what counts, and no new calculation. */
export const isOpenOf = (asked: TransactionWrite, found: Transaction): boolean =>
  !isCalledOff(found.state) && !isFunded(found) && isSamePayment(asked, found);

/** The claim that a settled creation allows for its whole payment: without the debit that pays it, it is not applied as it was wished. */
export function claimOfWhole<T extends { id?: string | null | undefined }>(
  { awaitsDebit }: Pick<Intent, 'awaitsDebit'>,
  outcome: Outcome<T>,
): Outcome<T> {
  if (outcome.kind !== 'applied' || !awaitsDebit) return outcome;
  const { value } = outcome;
  const transaction: Transaction = value;
  if (isFunded(transaction)) return outcome;
  if (isDead(transaction)) return { kind: 'not_applied', error: undefined, value, why: NEVER_FUNDED };
  return { kind: 'unknown', error: undefined, part: value, isUnpaid: true };
}

/** True where the request, sent again, may take another amount than the one that was compared with a limit. */
export const bindsNothing = (asked: Asked): boolean =>
  (asked.plan === 'create' && asked.fund) || (asked.plan === 'debit' && asked.debit.amount === undefined);
