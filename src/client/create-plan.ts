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
import {
  hasOurMoneyAndPayees,
  isEditableMember,
  isPerhapsEdited,
  showsMoneyAndPayees,
  transactionDifferences,
} from './compare.ts';
import { readTransaction } from './debit-plan.ts';
import { ApiError } from './errors.ts';
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
  return {
    body,
    answeredId: () => named,
    send(again) {
      const expect = ({ object }: { object: Transaction }): string | undefined => {
        const { wrong, id } = judgeAnswer(asked, object, again);
        named = id;
        return wrong;
      };
      return attempt(
        async () => (await client.call(operation, { body, expect })).object,
        (error) => existing(error, asked, again),
      );
    },
    async look() {
      const ofOurs = named === undefined ? undefined : await readNamed(client, asked, named);
      if (ofOurs !== undefined) return judgeNamed(asked, ofOurs);
      const answer = await client.call(listTransactions, { query: { external_id }, expect: listsIds });
      const listed = answer.object.find((candidate) => candidate.external_id === external_id);
      return listed === undefined ? { kind: 'absent' } : verifyPayment(asked, await whole(client, listed));
    },
  };
}

/** The verdict on a success: what is wrong with it, if anything, and the id in it where it may all the same be ours and only a look can tell. */
export interface AnswerJudged {
  wrong?: string;
  id?: string;
}

/**
 * Judges a success by its record. The answer to the first request of ours is ours where nothing in it is another, and where it carries our external id
 * or the money and the payee that we asked for; an answer to a later one has to carry the external id. A record of another external id, sender or
 * payout type is the answer to another request: a cache, or a connection that is out of step.
 */
export function judgeAnswer(asked: CreateAsked, found: Transaction, again = false): AnswerJudged {
  const isNot = 'the answer is not the transaction that was asked for';
  const { id } = found;
  if (!id) return { wrong: `${isNot}: it has no id` };
  const differences = answerDifferences(asked, found);
  const foreign = differences.filter(isOfAnother);
  if (foreign.length > 0) return { wrong: `${isNot}: it differs in ${foreign.join(', ')}` };
  if (differences.length > 0) return { wrong: `${isNot}: it differs in ${differences.join(', ')}`, id };
  const isOurs =
    Boolean(found.external_id) ||
    (!again && isWhole(found) && hasOurMoneyAndPayees(asked.transaction, found));
  if (!isOurs) return { wrong: `${isNot}: it has no external id`, id };
  return asked.fund && !isFunded(found) ? { wrong: 'the answer does not say that it is funded' } : {};
}

const answerDifferences = (asked: CreateAsked, found: Transaction): string[] =>
  isWhole(found)
    ? transactionDifferences(asked.transaction, found)
    : transactionDifferences({ ...asked.transaction, recipients: [] }, { ...found, recipients: [] });

/** Members by which a record is told from those of other requests. */
const isOfAnother = (name: string): boolean =>
  /^(?:external_id|sender\..+|recipients|recipients\.\d+\.payout_method\.type)$/.test(name);

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
  const all = transactionDifferences(asked.transaction, found);
  // Details and the like may have been edited since; money cannot be.
  const differences = isOurs ? all.filter((name) => !isEditableMember(name)) : all;
  if (isOurs && differences.length > 0)
    return { kind: 'conflict', value: found, differences, madeFor: asked.transaction };
  if (differences.length > 0) return { kind: 'conflict', value: found, differences, ...perhaps(differences) };
  if (!isOurs && !showsMoneyAndPayees(asked.transaction, found))
    return { kind: 'conflict', value: found, differences: ['recipients'], why: NOT_SHOWN };
  return judgeFunding(asked, found, isOurs);
}

/** Reads what a success named. Undefined where there is no such transaction, or it does not carry our external id itself. */
async function readNamed(client: Client, asked: CreateAsked, id: string): Promise<Transaction | undefined> {
  const found = await readTransaction(client, id).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });
  const isOurs = found?.external_id && !answerDifferences(asked, found).some(isOfAnother);
  return isOurs ? found : undefined;
}

/** Judges what our own request made, by its id and our external id: whatever differs, nobody else made it. */
function judgeNamed(asked: CreateAsked, found: Transaction): Looked<Transaction> {
  const differences = transactionDifferences(asked.transaction, found);
  if (differences.length === 0 || (asked.fund && isDead(found))) return judgeFunding(asked, found, true);
  if (!asked.fund || isFunded(found))
    return { kind: 'conflict', value: found, differences, madeFor: asked.transaction };
  // It may be funded any moment: only then is it known what became of the money.
  const why = `the service answered with transaction ${found.id}, which reads otherwise than asked, in ${differences.join(', ')}`;
  return { kind: 'conflict', value: found, differences, why };
}

function judgeFunding(asked: CreateAsked, found: Transaction, isOurs: boolean): Looked<Transaction> {
  if (!asked.fund || isFunded(found)) return { kind: 'applied', value: found };
  if (isDead(found)) return { kind: 'never', value: found, why: NEVER_FUNDED };
  return { kind: 'absent', begun: isOurs, part: found };
}

const NOT_SHOWN =
  'a transaction with this external id does not show an amount, or no name, account, phone or e-mail of a payee, to compare';

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
