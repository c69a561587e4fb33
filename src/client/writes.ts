/**
 * The money-moving writes as plans: how each is sent, and how to tell afterwards whether it was applied.
 * Each takes what was asked and nothing else, so a plan can be made again from a journal after the process died.
 */

import { createDebits } from '../contract/operations/accounts.ts';
import type { Operation } from '../contract/operations/operation.ts';
import {
  cancelPayinMethod,
  editPayinMethod,
  retryPayinMethod,
} from '../contract/operations/payin-methods.ts';
import { editPayoutMethod } from '../contract/operations/payout-methods.ts';
import { cancelRecipient, editRecipient } from '../contract/operations/recipients.ts';
import {
  createAndFundTransaction,
  createTransaction,
  listTransactions,
} from '../contract/operations/transactions.ts';
import type { PayinMethod, PayoutMethod } from '../contract/resources/payment-method.ts';
import {
  type Recipient,
  type RecipientEdit,
  type Transaction,
  type TransactionWrite,
  transaction as transactionSchema,
} from '../contract/resources/transaction.ts';
import { isCalledOff, isPaidOut } from '../contract/states/money.ts';
import { invariant } from '../core/invariants.ts';
import type { Client } from './client.ts';
import { detailDifferences, editDifferences, isPerhapsEdited, transactionDifferences } from './compare.ts';
import { type DebitAsked, planDebit, readTransaction } from './debit-plan.ts';
import type { ApiError } from './errors.ts';
import { isDead, isFunded } from './funded.ts';
import { attempt, type Looked, type Plan, type Sent } from './outcome.ts';
import {
  type PayinMethodAsked,
  type PayinMethodEditAsked,
  type PayoutMethodEditAsked,
  planPayinMethodCancel,
  planPayinMethodEdit,
  planPayinMethodRetry,
  planPayoutMethodEdit,
  readsOtherwise,
} from './resource-plans.ts';
import { sending } from './sending.ts';

export interface CreateAsked {
  transaction: TransactionWrite & { external_id: string };
  fund: boolean;
  /** The `external_id` was made for this request alone: a record that has it is ours, whatever was edited since. */
  madeId?: boolean;
}

/** Plans a creation, funded or not: the `external_id` names one transaction for ever, so the same body can be sent again. */
export function planCreate(client: Client, asked: CreateAsked): Plan<Transaction> {
  const operation = asked.fund ? createAndFundTransaction : createTransaction;
  const { external_id } = asked.transaction;
  invariant(external_id !== '', 'a payment is sent with the id that it can be found by');
  const body = { transaction: asked.transaction };
  return {
    body,
    send: (again) =>
      attempt(
        async () =>
          (await client.call(operation, { body, expect: ({ object }) => answersPayment(asked, object) }))
            .object,
        (error) => existing(error, asked, again),
      ),
    async look() {
      const answer = await client.call(listTransactions, { query: { external_id }, expect: listsIds });
      const found = answer.object.find((candidate) => candidate.external_id === external_id);
      return found === undefined ? { kind: 'absent' } : judgePayment(asked, await whole(client, found));
    },
  };
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
export function judgePayment(asked: CreateAsked, found: Transaction): Looked<Transaction> {
  const isOurs = asked.madeId === true && found.external_id === asked.transaction.external_id;
  const differences = isOurs ? [] : transactionDifferences(asked.transaction, found);
  if (differences.length > 0) return { kind: 'conflict', value: found, differences, ...perhaps(differences) };
  if (!asked.fund || isFunded(found)) return { kind: 'applied', value: found };
  if (isDead(found))
    return { kind: 'never', value: found, why: 'it was created, never funded, and is cancelled' };
  return { kind: 'absent', begun: isOurs, part: found };
}

const perhaps = (differences: readonly string[]): { why?: string } =>
  isPerhapsEdited(differences)
    ? { why: 'a transaction with this external id has the same amounts and other details' }
    : {};

/** Among the differences of a transaction that stands as it was asked for, without its money. */
export const NOT_FUNDED = 'state: it exists and is not funded';

function existing(error: ApiError, asked: CreateAsked, again: boolean): Sent<Transaction> {
  const read = transactionSchema.safeParse(error.details.existing.transaction);
  if (!read.success || !read.data.id || !isWhole(read.data)) return { kind: 'unknown', error };
  const judged = judgePayment(asked, read.data);
  if (judged.kind === 'applied') return { kind: 'existing', value: judged.value };
  if (judged.kind === 'conflict') return { ...judged, error };
  // It is ours and unfunded: an earlier try of ours may still be funding it, or it is over; looking tells.
  if (again || asked.madeId) return { kind: 'unknown', error };
  return { kind: 'conflict', value: read.data, differences: [NOT_FUNDED], error };
}

export interface EditAsked {
  recipientId: string;
  transactionId: string;
  recipient: RecipientEdit;
  /** The details in question as they read before: what is neither these nor ours was changed by something else since. */
  before?: Record<string, unknown>;
}

/** An edit sets what it sends, so it can be sent again; a recipient paid meanwhile is past editing. */
export function planEdit(client: Client, asked: EditAsked): Plan<Recipient> {
  const path = { recipient_id: asked.recipientId };
  const body = { recipient: asked.recipient };
  const expect = ({ object }: { object: Recipient }) =>
    readsOtherwise(editDifferences(asked.recipient, object));
  return {
    ...sending(client, editRecipient, { path, body, expect }),
    async look() {
      const found = await readRecipient(client, asked);
      if (found === undefined) return { kind: 'absent' };
      const differences = editDifferences(asked.recipient, found);
      if (differences.length === 0) return { kind: 'applied', value: found };
      if (isChangedSince(asked, found)) {
        const why = `the recipient reads otherwise than before and than asked: ${differences.join(', ')}`;
        return { kind: 'conflict', value: found, differences, why };
      }
      if (isOverForGood(found))
        return { kind: 'never', value: found, why: `it is ${found.state} with the old details` };
      return { kind: 'absent' };
    },
  };
}

const isOverForGood = ({ state }: Recipient): boolean => isPaidOut(state) || isCalledOff(state);

/** To send the edit again would undo a later correction: the money would go to the account that was corrected. */
function isChangedSince({ before }: EditAsked, found: Recipient): boolean {
  return before !== undefined && detailDifferences(before, found.payout_method?.details ?? {}).length > 0;
}

export interface CancelAsked {
  recipientId: string;
  transactionId: string;
}

/** A cancel can be asked for again; it is applied when the recipient is cancelled, and too late when it was paid. */
export function planCancel(client: Client, asked: CancelAsked): Plan<Recipient> {
  const path = { recipient_id: asked.recipientId };
  return {
    ...sending(client, cancelRecipient, { path }),
    async look() {
      const found = await readRecipient(client, asked);
      if (found === undefined) return { kind: 'absent' };
      if (isCalledOff(found.state)) return { kind: 'applied', value: found };
      if (isPaidOut(found.state)) return { kind: 'never', value: found, why: 'it was paid meanwhile' };
      return { kind: 'absent' };
    },
  };
}

export async function readRecipient(
  client: Client,
  asked: { recipientId: string; transactionId: string },
): Promise<Recipient | undefined> {
  const found = await readTransaction(client, asked.transactionId);
  return (found.recipients ?? []).find((candidate) => candidate.id === asked.recipientId);
}

/** The request of a plan as a journal keeps it: what is needed to make the same plan again. */
export type Asked =
  | ({ plan: 'create' } & CreateAsked)
  | ({ plan: 'debit' } & DebitAsked)
  | ({ plan: 'edit' } & EditAsked)
  | ({ plan: 'cancel' } & CancelAsked)
  | ({ plan: 'payout_method_edit' } & PayoutMethodEditAsked)
  | ({ plan: 'payin_method_edit' } & PayinMethodEditAsked)
  | ({ plan: 'payin_method_retry' } & PayinMethodAsked)
  | ({ plan: 'payin_method_cancel' } & PayinMethodAsked);

type Of<Name extends Asked['plan']> = Extract<Asked, { plan: Name }>;
type AnyPlan = Plan<Transaction> | Plan<Recipient> | Plan<PayoutMethod> | Plan<PayinMethod>;

/**
 * The facts of each kind of write. `idOf` is the id of the record that it concerns, where we know it beforehand.
 */
const kinds: {
  [Name in Asked['plan']]: {
    operation(asked: Of<Name>): unknown;
    plan(client: Client, asked: Of<Name>): AnyPlan;
    idOf(asked: Of<Name>): string | undefined;
  };
} = {
  create: {
    operation: ({ fund }) => (fund ? createAndFundTransaction : createTransaction),
    plan: planCreate,
    idOf: () => undefined,
  },
  debit: { operation: () => createDebits, plan: planDebit, idOf: ({ debit }) => debit.to_id },
  edit: { operation: () => editRecipient, plan: planEdit, idOf: ({ recipientId }) => recipientId },
  cancel: { operation: () => cancelRecipient, plan: planCancel, idOf: ({ recipientId }) => recipientId },
  payout_method_edit: {
    operation: () => editPayoutMethod,
    plan: planPayoutMethodEdit,
    idOf: ({ payoutMethodId }) => payoutMethodId,
  },
  payin_method_edit: { operation: () => editPayinMethod, plan: planPayinMethodEdit, idOf: payinMethodOf },
  payin_method_retry: { operation: () => retryPayinMethod, plan: planPayinMethodRetry, idOf: payinMethodOf },
  payin_method_cancel: {
    operation: () => cancelPayinMethod,
    plan: planPayinMethodCancel,
    idOf: payinMethodOf,
  },
};

function payinMethodOf({ payinMethodId }: PayinMethodAsked): string {
  return payinMethodId;
}

export const operationOf = (asked: Asked): Operation =>
  kinds[asked.plan].operation(asked as never) as Operation;
export const planOf = (client: Client, asked: Asked): AnyPlan =>
  kinds[asked.plan].plan(client, asked as never);

/** True where a request, as a journal keeps it, is of a kind that we can look for. */
export function isPlanned(request: string): boolean {
  const { plan } = JSON.parse(request) as { plan?: unknown };
  return typeof plan === 'string' && Object.hasOwn(kinds, plan);
}

/** Asserts that what is said to be applied is the record that was asked for. */
export function mustBeAskedFor(asked: Asked, value: unknown): void {
  const { id, external_id } = (value ?? {}) as { id?: unknown; external_id?: unknown };
  const isIt =
    asked.plan === 'create'
      ? external_id === asked.transaction.external_id
      : String(id).toLowerCase() === kinds[asked.plan].idOf(asked as never)?.toLowerCase();
  invariant(isIt, 'an applied write carries the record that was asked for');
}
