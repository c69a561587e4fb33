/** A creation as a plan: how it is sent, and what an answer or a record that is found means for it. */
import {
  createAndFundTransaction,
  createTransaction,
  listTransactions,
} from '../contract/operations/transactions.ts';
import {
  type Transaction,
  type TransactionWrite,
  transaction as transactionSchema,
} from '../contract/resources/transaction.ts';
import { invariant } from '../core/invariants.ts';
import type { Client } from './client.ts';
import { isPerhapsEdited, showsPayees, transactionDifferences } from './compare.ts';
import { readTransaction } from './debit-plan.ts';
import type { ApiError } from './errors.ts';
import { isDead, isFunded, NEVER_FUNDED } from './funded.ts';
import { attempt, type Looked, type Sent, type WritePlan } from './outcome.ts';

export interface CreateAsked {
  transaction: TransactionWrite & { external_id: string };
  fund: boolean;
  /** The `external_id` was made for this request alone: a record that has it is ours, whatever was edited since. */
  madeId?: boolean;
  /** A debit of its own pays it (`bound.ts`). */
  awaitsDebit?: boolean;
}

/**
 * Plans a creation, funded or not: the `external_id` names one transaction for ever, so the same body can be sent again.
 * @param answeredId what an earlier success named: then it is only looked for
 */
export function planCreate(client: Client, asked: CreateAsked, answeredId?: string): WritePlan<Transaction> {
  const operation = asked.fund ? createAndFundTransaction : createTransaction;
  const { external_id } = asked.transaction;
  invariant(external_id !== '', 'a payment is sent with the id that it can be found by');
  const body = { transaction: asked.transaction };
  let named = answeredId;
  const expect = ({ object }: { object: Transaction }): string | undefined => {
    const wrong = answersPayment(asked, object);
    if (wrong !== undefined) named = idReadOtherwise(asked, object);
    return wrong;
  };
  return {
    body,
    answeredId: () => named,
    send: (again) =>
      attempt(
        async () => (await client.call(operation, { body, expect })).object,
        (error) => existing(error, asked, again),
      ),
    async look() {
      const answer = await client.call(listTransactions, { query: { external_id }, expect: listsIds });
      const listed = answer.object.find((candidate) => candidate.external_id === external_id);
      if (listed === undefined) return { kind: 'absent' };
      const found = await whole(client, listed);
      return named === undefined ? verifyPayment(asked, found) : judgeAnswered(asked, found, named);
    },
  };
}

/**
 * The id in a success that reads otherwise than asked, and may all the same be the answer to our own request. One with another external id
 * is no answer to it, and one that differs in nothing but its money is ours.
 */
export function idReadOtherwise(asked: CreateAsked, answered: Transaction): string | undefined {
  const { id, external_id: externalId } = answered;
  if (!id || (externalId && externalId !== asked.transaction.external_id)) return undefined;
  const isOtherwise = isWhole(answered)
    ? transactionDifferences(asked.transaction, answered).length > 0
    : !externalId;
  return isOtherwise ? id : undefined;
}

/** A success proves something only with the record that was asked for: our id, our amounts, and the money where it was to be paid. */
export function answersPayment(asked: CreateAsked, found: Transaction): string | undefined {
  if (!found.id) return 'the answer is not the transaction that was asked for: it has no id';
  if (found.external_id !== asked.transaction.external_id)
    return 'the answer is not the transaction that was asked for: its external id is another, or missing';
  const differences = isWhole(found) ? transactionDifferences(asked.transaction, found) : [];
  if (differences.length > 0)
    return `the answer is not the transaction that was asked for: it differs in ${differences.join(', ')}`;
  if (asked.fund && !isFunded(found)) return 'the answer does not say that it is funded';
  return undefined;
}

/** Refuses a list with a transaction that has no id: nothing could be claimed of such a record. */
const listsIds = ({ object }: { object: Transaction[] }): string | undefined =>
  object.every(({ id }) => id) ? undefined : 'the list has a transaction without an id';

/** A list, or a refusal, may show less of a transaction than there is to compare. */
const isWhole = (found: Transaction): boolean => found.recipients != null;

async function whole(client: Client, found: Transaction): Promise<Transaction> {
  return isWhole(found) || found.id == null ? found : readTransaction(client, found.id);
}

/** Decides what a transaction that has the external id means for the payment that was asked for. */
export function verifyPayment(asked: CreateAsked, found: Transaction): Looked<Transaction> {
  const isOurs = asked.madeId === true && found.external_id === asked.transaction.external_id;
  const differences = isOurs ? [] : transactionDifferences(asked.transaction, found);
  if (differences.length > 0) return { kind: 'conflict', value: found, differences, ...perhaps(differences) };
  if (!isOurs && !showsPayees(asked.transaction, found))
    return { kind: 'conflict', value: found, differences: ['recipients'], why: NO_PAYEE_SHOWN };
  return judgeFunding(asked, found, isOurs);
}

/** The same where a success named `id`, and read otherwise: whatever differs, it may be ours. */
function judgeAnswered(asked: CreateAsked, found: Transaction, id: string): Looked<Transaction> {
  const differences = transactionDifferences(asked.transaction, found);
  if (found.id === id && differences.length === 0) return judgeFunding(asked, found, false);
  const of = differences.length > 0 ? `, in ${differences.join(', ')}` : '';
  const why = `the service answered with transaction ${id}, and the transaction of this external id reads otherwise than asked${of}`;
  return { kind: 'conflict', value: found, differences, why };
}

function judgeFunding(asked: CreateAsked, found: Transaction, isOurs: boolean): Looked<Transaction> {
  if (!asked.fund || isFunded(found)) return { kind: 'applied', value: found };
  if (isDead(found)) return { kind: 'never', value: found, why: NEVER_FUNDED };
  return { kind: 'absent', begun: isOurs, part: found };
}

const NO_PAYEE_SHOWN =
  'a transaction with this external id shows no name, account, phone or e-mail of a payee to compare';

/** It may be ours, edited since. */
const perhaps = (differences: readonly string[]): { why?: string } =>
  isPerhapsEdited(differences)
    ? { why: 'a transaction with this external id has the same amounts and other details' }
    : {};

/** Among the differences of a transaction that stands as it was asked for, without its money. */
export const NOT_FUNDED = 'state: it exists and is not funded';

function existing(error: ApiError, asked: CreateAsked, again: boolean): Sent<Transaction> {
  const read = transactionSchema.safeParse(error.details.existing.transaction);
  if (!read.success || !read.data.id || !isWhole(read.data)) return { kind: 'unknown', error };
  const judged = verifyPayment(asked, read.data);
  if (judged.kind === 'applied') return { kind: 'existing', value: judged.value };
  if (judged.kind === 'conflict') return { ...judged, error };
  // It is ours and unfunded: an earlier try of ours may still be funding it, or it is over; looking tells.
  if (again || asked.madeId) return { kind: 'unknown', error };
  return { kind: 'conflict', value: read.data, differences: [NOT_FUNDED], error };
}
