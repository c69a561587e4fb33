/**
 * Payout methods that are stored for later. To store one or to switch it off moves no money, so no intent is kept: where the
 * answer is lost the stored ones are looked through, and a creation is not sent a second time, which could store it twice. A change
 * of details redirects whatever is paid by it later, so it counts as money: if the process dies after its intent is written, the
 * method is read again to tell whether the new details stand (settling).
 */

import { detailDifferences } from '../../client/compare.ts';
import { planPayoutMethodCreate, planPayoutMethodDisable } from '../../client/directory-plans.ts';
import { partyOf, wrongPayoutDetails } from '../../contract/corridors/wrong-details.ts';
import { editPayoutMethod as editRow } from '../../contract/operations/payout-methods.ts';
import type { PayoutMethod, PayoutMethodWrite } from '../../contract/resources/payment-method.ts';
import { invariant } from '../../core/invariants.ts';
import { hint } from '../../core/next.ts';
import { unsent } from '../../core/problem.ts';
import { byAccount, byName } from '../confirmation.ts';
import type { Desk } from '../desk.ts';
import type { WritePermit, WriteStep } from '../gate.ts';
import { idOf } from '../lookup/id-of.ts';
import { plainWrite, type Stored } from '../plain-write.ts';
import { changeLines, pick } from '../words/changes.ts';
import { maskedMethod, methodLine } from '../words/payment-lines.ts';
import { redirectQuestion } from '../words/questions.ts';
import { write } from '../write.ts';
import { type Guard, guardDetails } from '../wrong-accounts.ts';

export interface StorePlan {
  method: PayoutMethodWrite;
  /** An account looks wrong by itself, and is meant. */
  isAsWritten: boolean;
  step: WriteStep;
}

/** @throws Problem where a detail is not known, or an account looks wrong and is not meant */
export async function planStore(desk: Desk, method: PayoutMethodWrite, guard: Guard): Promise<StorePlan> {
  const { type, details = {} } = method;
  const kind = partyOf(details);
  const wrong = await wrongPayoutDetails({ type, kind, details, at: 'details' });
  const isAsWritten = await guardDetails(desk, guard, wrong);
  return {
    method,
    isAsWritten,
    step: {
      effect: 'write',
      what: [`store ${methodLine(method, desk.mask)}`],
      confirm: byAccount(details, byName(type ?? '')),
    },
  };
}

export async function storePayoutMethod(
  desk: Desk,
  permit: WritePermit,
  { method }: StorePlan,
): Promise<Stored<PayoutMethod>> {
  return plainWrite<PayoutMethod>(desk, permit, {
    plan: (client) => planPayoutMethodCreate(client, method),
    next: hint`${{ do: 'list_payout_methods', type: method.type ?? '' }}`,
  });
}

/** `changes` is empty where the method reads like that already. */
export interface RedirectionPlan {
  method: PayoutMethod;
  changes: Record<string, unknown>;
  /** The same members as they stand. */
  before: Record<string, unknown>;
  /** An account looks wrong by itself, and is meant. */
  isAsWritten: boolean;
  step: WriteStep;
}

/** @throws Problem where it is switched off */
export function refuseDisabled({ id, state }: PayoutMethod): void {
  if (state !== 'disabled') return;
  throw unsent(
    'conflict',
    'not_editable',
    `payout method ${id} is disabled`,
    hint`store another: ${{ do: 'store_payout_method' }}`,
  );
}

/** @throws Problem where a detail is not known, or an account looks wrong and is not meant */
export async function planRedirection(
  desk: Desk,
  method: PayoutMethod,
  asked: Readonly<Record<string, unknown>>,
  guard: Guard,
): Promise<RedirectionPlan> {
  refuseDisabled(method);
  const type = method.type ?? undefined;
  const current = method.details ?? {};
  const kind = partyOf(current);
  const names = detailDifferences(asked, current);
  const wrong = await wrongPayoutDetails({
    type,
    kind,
    details: asked,
    standing: current,
    only: names,
    at: 'details',
  });
  const isAsWritten = await guardDetails(desk, guard, wrong);
  const changes = pick(asked, names);
  const what = [
    `change where the money goes: ${methodLine(method, desk.mask)}`,
    ...changeLines(desk, current, changes),
  ];
  const question = redirectQuestion('this payout method pays', current, changes);
  return {
    method,
    changes,
    before: pick(current, names),
    isAsWritten,
    step: {
      effect: 'money',
      what,
      question,
      confirm: byAccount({ ...current, ...changes }, byName(method.id ?? '')),
    },
  };
}

export async function redirectPayoutMethod(
  desk: Desk,
  permit: WritePermit,
  { method, changes, before }: RedirectionPlan,
  { newPayment }: { newPayment: boolean },
): Promise<PayoutMethod> {
  const names = Object.keys(changes);
  invariant(names.length > 0, 'a change of a payout method changes something');
  const { value } = await write<PayoutMethod>(desk, permit, {
    asked: {
      plan: 'payout_method_edit',
      payoutMethodId: idOf(method, 'payout method'),
      details: changes,
      before,
    },
    subject: idOf(method, 'payout method'),
    summary: `change ${names.join(', ')} of ${maskedMethod(method)}`,
    newPayment,
  });
  invariant(value.id === method.id, 'what was changed is the payout method that was meant');
  return value;
}

export async function leaveMethod(desk: Desk, { method }: RedirectionPlan): Promise<Stored<PayoutMethod>> {
  const { unchangedNotes } = await import('../settle.ts');
  return { value: method, notes: await unchangedNotes(desk, editRow.id, method.id) };
}

export const disablingStep = ({ mask }: Pick<Desk, 'mask'>, method: PayoutMethod): WriteStep => ({
  effect: 'destructive',
  what: [`disable ${methodLine(method, mask)}`],
  confirm: byAccount(method.details, byName(method.id ?? '')),
});

/** Switches it off. A lost answer is settled by reading it again. */
export function switchOffPayoutMethod(
  desk: Desk,
  permit: WritePermit,
  method: PayoutMethod,
): Promise<Stored<PayoutMethod>> {
  const id = idOf(method, 'payout method');
  return plainWrite<PayoutMethod>(desk, permit, {
    plan: (client) => planPayoutMethodDisable(client, id),
    effect: 'destructive',
    next: hint`${{ do: 'show_payout_method', id }}`,
  });
}
