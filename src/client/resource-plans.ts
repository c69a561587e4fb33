/** Writes to one thing that can be read again (`settle: resource`): applied when it reads as asked. */

import {
  cancelPayinMethod,
  editPayinMethod,
  getPayinMethod,
  retryPayinMethod,
} from '../contract/operations/payin-methods.ts';
import { editPayoutMethod, getPayoutMethod } from '../contract/operations/payout-methods.ts';
import type { PayinMethod, PayoutMethod } from '../contract/resources/payment-method.ts';
import { isCalledOff, isPayinEditable } from '../contract/states/money.ts';
import { invariant } from '../core/invariants.ts';
import type { Client } from './client.ts';
import { detailDifferences } from './compare.ts';
import type { Looked, WritePlan } from './outcome.ts';
import { sending } from './sending.ts';

type Details = Record<string, unknown>;

/** A success that does not show what was written proves nothing. */
export const readsOtherwise = (differences: readonly string[]): string | undefined =>
  differences.length === 0
    ? undefined
    : `the answer does not show what was asked for: it differs in ${differences.join(', ')}`;

/**
 * Compares an edit with what stands. What is neither as asked nor as before was changed by something else since: to send the
 * edit again would undo that change.
 */
export function judgeEdit<T>(value: T, found: Details, asked: Details, before: Details): Looked<T> {
  invariant(Object.keys(asked).length > 0, 'an edit of nothing would read as applied whatever stands');
  const differences = detailDifferences(asked, found);
  if (differences.length === 0) return { kind: 'applied', value };
  if (detailDifferences(before, found).length === 0) return { kind: 'absent' };
  const why = `it reads otherwise than before and than asked: ${differences.join(', ')}`;
  return { kind: 'conflict', value, differences, why };
}

export interface PayoutMethodEditAsked {
  payoutMethodId: string;
  details: Details;
  /** The same details as they read before. */
  before: Details;
}

export function planPayoutMethodEdit(client: Client, asked: PayoutMethodEditAsked): WritePlan<PayoutMethod> {
  const path = { payout_method_id: asked.payoutMethodId };
  const { details, before } = asked;
  const body = { details };
  const expect = ({ object }: { object: PayoutMethod }) =>
    readsOtherwise(detailDifferences(details, object.details ?? {}));
  return {
    ...sending(client, editPayoutMethod, { path, body, expect }),
    async look() {
      const { object } = await client.call(getPayoutMethod, { path });
      const judged = judgeEdit(object, object.details ?? {}, details, before);
      if (judged.kind !== 'absent' || object.state !== 'disabled') return judged;
      return { kind: 'never', value: object, why: 'it is disabled with the old details' };
    },
  };
}

export interface PayinMethodEditAsked {
  payinMethodId: string;
  details: Details;
  before: Details;
}

/** A service may keep a one-time code to itself: then it is sent again, which hands in the same code. */
export function planPayinMethodEdit(client: Client, asked: PayinMethodEditAsked): WritePlan<PayinMethod> {
  const path = { payin_method_id: asked.payinMethodId };
  const { details, before } = asked;
  const body = { in_details: details };
  const { otp: _, ...readable } = details;
  const expect = ({ object }: { object: PayinMethod }) =>
    readsOtherwise(detailDifferences(readable, object.in_details ?? {}));
  return {
    ...sending(client, editPayinMethod, { path, body, expect }),
    async look() {
      const { object } = await client.call(getPayinMethod, { path });
      const judged = judgeEdit(object, object.in_details ?? {}, details, before);
      if (judged.kind !== 'absent' || isPayinEditable(object.state)) return judged;
      return { kind: 'never', value: object, why: `it is ${object.state} with the old details` };
    },
  };
}

export interface PayinMethodAsked {
  payinMethodId: string;
}

/** The service takes a retry in state `error` only, when no money came in: sent again there, it cannot collect twice. */
export function planPayinMethodRetry(client: Client, asked: PayinMethodAsked): WritePlan<PayinMethod> {
  const path = { payin_method_id: asked.payinMethodId };
  return {
    ...sending(client, retryPayinMethod, { path }),
    async look() {
      const { object } = await client.call(getPayinMethod, { path });
      if (object.state === 'error') return { kind: 'absent' };
      if (isCancelled(object))
        return { kind: 'never', value: object, why: `it is ${object.state} meanwhile` };
      return { kind: 'applied', value: object };
    },
  };
}

/** A cancellation can be asked for again; it is applied when the collection reads as cancelled. */
export function planPayinMethodCancel(client: Client, asked: PayinMethodAsked): WritePlan<PayinMethod> {
  const path = { payin_method_id: asked.payinMethodId };
  return {
    ...sending(client, cancelPayinMethod, { path }),
    async look() {
      const { object } = await client.call(getPayinMethod, { path });
      return isCancelled(object) ? { kind: 'applied', value: object } : { kind: 'absent' };
    },
  };
}

const isCancelled = ({ state }: PayinMethod): boolean => isCalledOff(state);
