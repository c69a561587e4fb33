/**
 * The payin method of a collection: changed, tried again, or called off. It decides who is asked to pay, so it counts as money. If
 * the process dies after the intent is written, the payin method is read again (settling); asking for a cancellation twice does
 * no harm.
 */

import { detailDifferences } from '../client/compare.ts';
import { wrongPayinDetails } from '../contract/corridors/wrong-details.ts';
import {
  editPayinMethod as editRow,
  retryPayinMethod as retryRow,
} from '../contract/operations/payin-methods.ts';
import type { PayinMethod } from '../contract/resources/payment-method.ts';
import { isCalledOff } from '../contract/states/money.ts';
import { invariant } from '../core/invariants.ts';
import { type Hint, hint } from '../core/next.ts';
import { unsent } from '../core/problem.ts';
import { byAccount, byName, type Confirmation } from './confirmation.ts';
import type { Desk } from './desk.ts';
import type { WritePermit, WriteStep } from './gate.ts';
import type { FoundPayinMethod } from './lookup/payin-method.ts';
import type { Stored } from './plain-write.ts';
import { changeLines, pick } from './words/changes.ts';
import { completeHint, incompleteNotes } from './words/payin-lacks.ts';
import { payinLine } from './words/payment-lines.ts';
import { type AccountWord, onAccount } from './words/questions.ts';
import { write } from './write.ts';
import { type Guard, guardDetails } from './wrong-accounts.ts';

/** `changes` is empty where the method reads like that already. */
export interface PayinChangePlan extends FoundPayinMethod {
  changes: Record<string, unknown>;
  /** The same members as they stand. */
  before: Record<string, unknown>;
  /** A number looks wrong by itself, and is meant. */
  isAsWritten: boolean;
  step: WriteStep;
}

/** A one-time code is handed in as the detail `otp`. @throws Problem where a detail is not known, or a number looks wrong and is not meant */
export async function planPayinChange(
  desk: Desk,
  { id, method }: FoundPayinMethod,
  details: Readonly<Record<string, string>>,
  guard: Guard,
): Promise<PayinChangePlan> {
  const current = method.in_details ?? {};
  const names = detailDifferences(details, current);
  const wrong = wrongPayinDetails(method, { details, standing: current, only: names, at: 'in_details' });
  const isAsWritten = await guardDetails(desk, guard, wrong);
  const changes = pick(details, names);
  const { otp, ...shown } = changes;
  const what = [
    `change ${payinLine(method)}`,
    ...changeLines(desk, current, shown),
    ...(otp === undefined ? [] : ['  hand in the one-time code']),
  ];
  const question = (account: AccountWord) =>
    `${otp === undefined ? 'Change who is asked to pay' : 'Hand in the code of the customer'}, ${onAccount(account)}?`;
  return {
    id,
    method,
    changes,
    before: pick(current, names),
    isAsWritten,
    step: { effect: 'money', what, question, confirm: confirmPayin(method) },
  };
}

export async function changePayinMethod(
  desk: Desk,
  permit: WritePermit,
  { id, method, changes, before }: PayinChangePlan,
  { newPayment }: { newPayment: boolean },
): Promise<Stored<PayinMethod>> {
  const names = Object.keys(changes);
  invariant(names.length > 0, 'a change of a payin method changes something');
  const { value } = await write<PayinMethod>(desk, permit, {
    asked: { plan: 'payin_method_edit', payinMethodId: id, details: changes, before },
    ...placeOf({ id, method }),
    summary: `change ${names.join(', ')} of ${payinLine(method)}`,
    newPayment,
  });
  const notes: Hint[] =
    value.state === 'error'
      ? [hint`the next try uses it: ${{ do: 'retry_payin_method', id: value.id ?? '' }}`]
      : incompleteNotes(value);
  return { value, notes };
}

export async function leavePayinMethod(
  desk: Desk,
  { id, method }: PayinChangePlan,
): Promise<Stored<PayinMethod>> {
  const { unchangedNotes } = await import('./settle.ts');
  return { value: method, notes: await unchangedNotes(desk, editRow.id, id) };
}

/** Its amount stands with the transaction, not here: who is asked to pay is named. */
const confirmPayin = ({ id, in_details: details }: PayinMethod): Confirmation =>
  byAccount(details, byName((id ?? '').slice(0, 8), id));

/** @throws Problem (conflict): the service takes a retry in state `error` only, when no money came in */
export function planRetry({ method }: FoundPayinMethod): WriteStep {
  const { id, state } = method;
  if (state === 'error')
    return {
      effect: retryRow.effect,
      what: [`try again: ${payinLine(method)}`],
      confirm: confirmPayin(method),
    };
  throw unsent(
    'conflict',
    'not_retriable',
    `only a collection in state error can be tried again; payin method ${id} is ${state}`,
    state === 'incomplete' ? completeHint(method) : undefined,
  );
}

export async function retryPayin(
  desk: Desk,
  permit: WritePermit,
  found: FoundPayinMethod,
  { newPayment }: { newPayment: boolean },
): Promise<PayinMethod> {
  const { value } = await write<PayinMethod>(desk, permit, {
    asked: { plan: 'payin_method_retry', payinMethodId: found.id },
    ...placeOf(found),
    summary: `try again: ${payinLine(found.method)}`,
    newPayment,
  });
  return value;
}

export const cancelStep = ({ method }: FoundPayinMethod): WriteStep => ({
  effect: 'destructive',
  what: [`cancel ${payinLine(method)}`],
  confirm: confirmPayin(method),
});

/** `isOver`: it is called off. Otherwise the service took note of it, and what becomes of it shows later. */
export async function cancelPayin(
  desk: Desk,
  permit: WritePermit,
  found: FoundPayinMethod,
): Promise<Stored<PayinMethod> & { isOver: boolean }> {
  const { value } = await write<PayinMethod>(desk, permit, {
    asked: { plan: 'payin_method_cancel', payinMethodId: found.id },
    ...placeOf(found),
    summary: `cancel ${payinLine(found.method)}`,
  });
  if (isCalledOff(value.state)) return { value, notes: [], isOver: true };
  const next = hint`the cancellation was requested, and is not done yet: ${{ do: 'show_payin_method', id: found.id }}`;
  return { value, notes: [next], isOver: false };
}

const placeOf = ({ id, method }: FoundPayinMethod) => ({
  subject: id,
  transactionId: method.transaction_id ?? undefined,
});
