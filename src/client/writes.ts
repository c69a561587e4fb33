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
import { createAndFundTransaction, createTransaction } from '../contract/operations/transactions.ts';
import type { PayinMethod, PayoutMethod } from '../contract/resources/payment-method.ts';
import type { Recipient, RecipientEdit, Transaction } from '../contract/resources/transaction.ts';
import { isCalledOff, isPaidOut } from '../contract/states/money.ts';
import { invariant } from '../core/invariants.ts';
import type { Client } from './client.ts';
import { detailDifferences, editDifferences } from './compare.ts';
import { type CreateAsked, planCreate } from './create-plan.ts';
import { type DebitAsked, planDebit, readTransaction } from './debit-plan.ts';
import type { WritePlan } from './outcome.ts';
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
import { sameMember } from './same.ts';
import { sending } from './sending.ts';

export interface EditAsked {
  recipientId: string;
  transactionId: string;
  recipient: RecipientEdit;
  /** The details in question as they read before: what is neither these nor ours was changed by something else since. */
  before?: Record<string, unknown>;
}

/** An edit sets what it sends, so it can be sent again; a recipient paid meanwhile is past editing. */
export function editPlan(client: Client, asked: EditAsked): WritePlan<Recipient> {
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
export function cancelPlan(client: Client, asked: CancelAsked): WritePlan<Recipient> {
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
type AnyPlan =
  | WritePlan<Transaction>
  | WritePlan<Recipient>
  | WritePlan<PayoutMethod>
  | WritePlan<PayinMethod>;

/**
 * The facts of each kind of write. `idOf` is the id of the record that it concerns, where we know it beforehand.
 */
const kinds: {
  [Name in Asked['plan']]: {
    operation(asked: Of<Name>): unknown;
    plan(client: Client, asked: Of<Name>, answeredId: string | undefined): AnyPlan;
    idOf(asked: Of<Name>): string | undefined;
  };
} = {
  create: {
    operation: ({ fund }) => (fund ? createAndFundTransaction : createTransaction),
    plan: planCreate,
    idOf: () => undefined,
  },
  debit: { operation: () => createDebits, plan: planDebit, idOf: ({ debit }) => debit.to_id },
  edit: { operation: () => editRecipient, plan: editPlan, idOf: ({ recipientId }) => recipientId },
  cancel: { operation: () => cancelRecipient, plan: cancelPlan, idOf: ({ recipientId }) => recipientId },
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
/** @param answeredId the id that its intent keeps from a success which read otherwise */
export const writePlanOf = (client: Client, asked: Asked, answeredId?: string): AnyPlan =>
  kinds[asked.plan].plan(client, asked as never, answeredId);

/** True where a request, as a journal keeps it, is of a kind that we can look for. */
export function isPlanned(request: string): boolean {
  const { plan } = JSON.parse(request) as { plan?: unknown };
  return typeof plan === 'string' && Object.hasOwn(kinds, plan);
}

/** Asserts that what is said to be applied is the record that was asked for. */
export function mustBeAskedFor(asked: Asked, value: unknown): void {
  const { id, external_id } = (value ?? {}) as { id?: unknown; external_id?: unknown };
  // The answer to our own first request may leave our external id out.
  const isIt =
    asked.plan === 'create'
      ? Boolean(id ?? external_id) &&
        sameMember('external_id', asked.transaction.external_id, external_id) !== 'other'
      : String(id).toLowerCase() === kinds[asked.plan].idOf(asked as never)?.toLowerCase();
  invariant(isIt, 'an applied write carries the record that was asked for');
}
