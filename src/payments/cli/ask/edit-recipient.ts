/** A correction of a recipient, from the command of that name and from the board of triage. */

import {
  applyEdit,
  type Edited,
  fieldsNamedBy,
  leaveUnchanged,
  planEdit,
  recipientKindOf,
  refuseUneditable,
} from '../../edit-recipient.ts';
import { authorizeWrite } from '../../gate.ts';
import type { FoundRecipient } from '../../lookup/recipient.ts';
import type { Descriptors } from '../../offered.ts';
import type { Context } from '../context.ts';
import { correctionForm } from './edit-details.ts';
import { throughForm } from './form.ts';

export interface AskedEdit {
  /** The details to change; asked for on a terminal where they are empty. */
  details: Readonly<Record<string, string>>;
  skipValidation: boolean;
  nameAsGiven: boolean;
  accountAsWritten: boolean;
  newPayment: boolean;
}

/** `wasAsked`: the user answered questions, so show the command line. `meant`: the flags that this command needs to be repeated without questions. */
export async function askEdit(
  context: Context,
  found: FoundRecipient,
  edit: AskedEdit,
): Promise<Edited & { wasAsked: boolean; meant: Record<string, boolean> }> {
  const { recipient } = found;
  refuseUneditable(recipient);
  const method = recipient.payout_method;
  const details: Record<string, unknown> = { ...edit.details };
  const form = correctionForm(context, {
    type: method?.type ?? '',
    kind: recipientKindOf(recipient),
    prefix: 'payout_method.details.',
    current: method?.details ?? {},
    details,
    first: fieldsNamedBy(recipient),
    descriptors: (method?.fields as Descriptors | null | undefined) ?? undefined,
  });
  return throughForm(context, form, async (confirmer, wasAsked) => {
    const plan = await planEdit(context, found, {
      details,
      skipValidation: edit.skipValidation,
      nameAsGiven: edit.nameAsGiven,
      guard: { confirmer, asWritten: edit.accountAsWritten },
    });
    if (Object.keys(plan.changes).length === 0)
      return { ...(await leaveUnchanged(context, plan)), wasAsked: wasAsked(), meant: {} };
    const permit = await authorizeWrite(context, plan.step, confirmer);
    const meant = { 'account-as-written': plan.isAsWritten, 'name-as-given': plan.otherHolder.isMeant };
    return { ...(await applyEdit(context, permit, plan, edit)), wasAsked: wasAsked(), meant };
  });
}
