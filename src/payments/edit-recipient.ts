/**
 * Corrects the details of a recipient. It redirects money, so it counts as money: the new account is checked, the change is
 * shown, and only what changed is sent. If the process dies before the intent is written, nothing was sent; after it, the
 * recipient is read again to tell whether the new details stand (settling), and sending them twice changes nothing.
 */

import { detailDifferences } from '../client/compare.ts';
import type { PartyKind } from '../contract/corridors/corridor.ts';
import { wrongPayoutDetails } from '../contract/corridors/wrong-details.ts';
import { editRecipient as editRecipientRow } from '../contract/operations/recipients.ts';
import type { Recipient } from '../contract/resources/transaction.ts';
import { isNotStarted, isUnderWay } from '../contract/states/recipient.ts';
import { byWord } from '../core/by-word.ts';
import { escapeLine } from '../core/escape.ts';
import { invariant } from '../core/invariants.ts';
import { hint } from '../core/next.ts';
import { interrupted, type Problem, unsent } from '../core/problem.ts';
import { checkAccount } from './cases/account-check.ts';
import { byAccount, byPayouts } from './confirmation.ts';
import type { Desk } from './desk.ts';
import type { Confirmer, WritePermit, WriteStep } from './gate.ts';
import { idOf } from './lookup/id-of.ts';
import type { FoundRecipient } from './lookup/recipient.ts';
import { problemOf } from './problem-of.ts';
import { changeLines, pick } from './words/changes.ts';
import { maskedRecipient, payoutAmount, recipientLine } from './words/payment-lines.ts';
import { redirectQuestion, spoken } from './words/questions.ts';
import { write } from './write.ts';
import { type Guard, guardDetails } from './wrong-accounts.ts';

interface EditWish {
  /** The details as they are to be; what reads the same already is not sent. */
  details: Readonly<Record<string, unknown>>;
  /** Does not ask the provider about the new account. */
  skipValidation: boolean;
  /** Uses an account that the bank knows under another name. */
  nameAsGiven: boolean;
  guard: Guard;
}

/**
 * The changes that would be sent, and what they mean; `changes` is empty where the recipient reads like that
 * already.
 */
interface EditPlan extends FoundRecipient {
  changes: Readonly<Record<string, string>>;
  /** The same members as they stand. */
  before: Record<string, unknown>;
  takesEffect: string;
  /** An account looks wrong by itself, and is meant. */
  isAsWritten: boolean;
  /** The bank knows the account under another name, and that was agreed to: known once the step was let through. */
  otherHolder: { isMeant: boolean };
  step: WriteStep;
}

export interface Edited {
  recipient: Recipient;
  /** The changes that were sent; empty where nothing was. */
  changes: Readonly<Record<string, string>>;
  notes: string[];
}

/** @throws Problem where a detail is not known, or an account looks wrong and is not meant */
export async function planEdit(desk: Desk, found: FoundRecipient, wish: EditWish): Promise<EditPlan> {
  const { recipient } = found;
  idOf(recipient, 'recipient');
  idOf(found.transaction, 'transaction');
  const current = recipient.payout_method?.details ?? {};
  const type = recipient.payout_method?.type ?? '';
  const kind = recipientKindOf(recipient);
  const names = detailDifferences(wish.details, current);
  const at = 'payout_method.details';
  const wrong = await wrongPayoutDetails({
    type,
    kind,
    details: wish.details,
    standing: current,
    only: names,
    at,
  });
  const isAsWritten = await guardDetails(desk, wish.guard, wrong);
  const changes = Object.fromEntries(names.map((name) => [name, String(wish.details[name] ?? '')]));
  const takesEffect = effectOf(recipient);
  const otherHolder = { isMeant: wish.nameAsGiven };
  return {
    ...found,
    changes,
    before: pick(current, names),
    takesEffect,
    isAsWritten,
    otherHolder,
    step: {
      effect: 'money',
      confirm: byAccount({ ...current, ...changes }, byPayouts([recipient])),
      explicitId: found.explicit,
      what: [
        `change where the money goes: ${recipientLine(recipient, desk.mask)}`,
        ...changeLines(desk, current, changes),
        `  takes effect: ${takesEffect}`,
      ],
      question: redirectQuestion(
        `${spoken(recipient.output_amount, recipient.output_currency)} goes`,
        current,
        changes,
      ),
      look: wish.skipValidation
        ? undefined
        : (confirmer) =>
            checkedLines(desk, confirmer, {
              type,
              names,
              otherHolder,
              details: { ...current, ...changes },
            }),
    },
  };
}

export async function leaveUnchanged(desk: Desk, { recipient }: EditPlan): Promise<Edited> {
  const { unchangedNotes } = await import('./settle.ts');
  return { recipient, changes: {}, notes: await unchangedNotes(desk, editRecipientRow.id, recipient.id) };
}

/** The edit as it is sent. */
export const editOf = ({ recipient, transaction, changes, before }: EditPlan) => ({
  plan: 'edit' as const,
  recipientId: recipient.id ?? '',
  transactionId: transaction.id ?? '',
  recipient: { payout_method: { details: changes } },
  before,
});

export async function applyEdit(
  desk: Desk,
  permit: WritePermit,
  plan: EditPlan,
  { newPayment }: { newPayment: boolean },
): Promise<Edited> {
  const { recipient, transaction, changes, takesEffect } = plan;
  const names = Object.keys(changes);
  invariant(names.length > 0, 'an edit changes something');
  const { value, intentId } = await write<Recipient>(desk, permit, {
    asked: editOf(plan),
    subject: recipient.id ?? undefined,
    transactionId: transaction.id ?? undefined,
    summary: `change ${names.join(', ')} of ${maskedRecipient(recipient)}`,
    ...payoutAmount(recipient),
    newPayment,
  });
  invariant(value.id === recipient.id, 'what was edited is the recipient that was meant');
  const externalId = value.transaction_external_id ?? transaction.external_id ?? undefined;
  const runs = await desk.ports.runs?.();
  // The next look at the run says it too.
  await runs?.keepEdit(desk, { intentId, recipient: value, externalId, changes }).catch((error: unknown) =>
    desk.hear({
      says: `The pay run does not know of it yet: ${problemOf(error).facts.message}`,
      as: 'note',
    }),
  );
  return { recipient: value, changes, notes: [`it takes effect ${takesEffect}`] };
}

export const recipientKindOf = (recipient: Recipient): PartyKind =>
  recipient.type === 'business' ? 'business' : 'person';

export function refuseUneditable(recipient: Recipient): void {
  if (recipient.editable !== false || isUnderWay(recipient.state)) return;
  throw unsent(
    'conflict',
    'not_editable',
    `recipient ${recipient.id} cannot be edited (state: ${recipient.state})`,
    recipient.may_cancel
      ? hint`new details do not help here; cancel it: ${{ do: 'cancel_recipients', ids: [recipient.id ?? ''] }}`
      : undefined,
  );
}

/** An account that is not found is sent only on purpose: it may be wrong, or its bank may not answer just now. */
async function checkedLines(
  desk: Desk,
  confirmer: Confirmer,
  account: {
    type: string;
    details: Readonly<Record<string, unknown>>;
    names: readonly string[];
    otherHolder: { isMeant: boolean };
  },
): Promise<string[]> {
  const check = await checkAccount(desk, account.type, account.details, account.names);
  if (check.kind === 'none') return [];
  if (check.kind === 'unavailable') return [`  ${check.says}; it is sent unchecked`];
  if (check.kind === 'known') {
    if (!check.differs) return [`  checked: ${check.says}`];
    const said = escapeLine(check.says);
    if (account.otherHolder.isMeant) {
      desk.hear({ says: `    checked: ${said}`, as: 'warning' });
      return [];
    }
    if (!confirmer.isAttended || confirmer.stance(await desk.connection()).kind !== 'asks')
      throw heldByAnother(check.says);
    if (!(await confirmer.confirm({ about: 'other_holder', said }))) throw interrupted();
    account.otherHolder.isMeant = true;
    return ['  the account is used all the same'];
  }
  if (!confirmer.isAttended)
    throw unsent(
      'validation',
      'account_not_found',
      check.says,
      hint`the bank may not answer just now: try again in a few minutes; ${{ give: 'skip_validation' }} sends it unchecked`,
    );
  const agreed = await confirmer.confirm({ about: 'unknown_account', said: escapeLine(check.says) });
  if (!agreed) throw interrupted();
  return [`  ${check.says}; it is sent all the same`];
}

const heldByAnother = (says: string): Problem =>
  unsent(
    'validation',
    'other_holder',
    says,
    hint`look at the name and the account again; ${{ give: 'name_as_given' }} sends them as they are`,
  );

/** When the new details count (docs/wire.md 9). */
function effectOf({ state }: Recipient): string {
  if (isUnderWay(state)) return 'only if the present try fails';
  return isNotStarted(state) ? 'with the first try' : 'with the next try';
}

const ACCOUNT = ['bank_account', 'iban', 'pix_key_value', 'phone_number', 'bank_code', 'mobile_provider'];
const PHONE = ['phone_number', 'mobile_provider'];
const NAMES = ['first_name', 'last_name', 'middle_name', 'name'];

const BY_CODE: Readonly<Record<string, readonly string[]>> = byWord({
  '411': ['card_number', ...ACCOUNT],
  '412': PHONE,
  '413': ['mobile_provider', 'phone_number'],
  '414': PHONE,
  '416': ACCOUNT,
  '431': ACCOUNT,
  '432': ACCOUNT,
  '433': ACCOUNT,
  '44': NAMES,
});

/**
 * Tells which payout details the reason of a failure is about (docs/wire.md 9): these are what a correction most
 * likely changes. The likeliest first; empty where the reason names none.
 */
export const fieldsNamedBy = ({ state_reason_details: details }: Recipient): readonly string[] =>
  BY_CODE[details?.code ?? ''] ?? [];
