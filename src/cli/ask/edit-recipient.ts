/** A correction at the terminal: what is to change is asked where it was not given, and again where the service refuses it. */
import { usage } from '../../core/problem.ts';
import type { FoundRecipient } from '../../desk/lookup/recipient.ts';
import {
  applyEdit,
  type Edited,
  kindOf,
  leaveUnchanged,
  planEdit,
  refuseUneditable,
} from '../../desk/payments/edit-recipient.ts';
import { admit } from '../../desk/payments/gate.ts';
import type { Context } from '../context.ts';
import { confirmChange } from './changes.ts';
import { inRounds } from './rounds.ts';

export interface Edit {
  /** What to change; asked for on a terminal where it is empty. */
  details: Readonly<Record<string, string>>;
  skipValidation: boolean;
  newPayment: boolean;
}

export async function editRecipient(context: Context, found: FoundRecipient, edit: Edit): Promise<Edited> {
  const { recipient } = found;
  refuseUneditable(recipient);
  const current = recipient.payout_method?.details ?? {};
  const wasAsked = Object.keys(edit.details).length === 0;
  const asked = wasAsked ? await askChanges(context, recipient, current) : edit.details;
  return inRounds(context, { asked, current, wasAsked }, async (details, confirm) => {
    const plan = await planEdit(context, found, { details, skipValidation: edit.skipValidation });
    if (Object.keys(plan.changes).length === 0) return leaveUnchanged(context, plan);
    const pass = await admit(context, plan.step, context.approver);
    await confirmChange(context, confirm);
    return applyEdit(context, pass, plan, edit);
  });
}

async function askChanges(
  context: Context,
  recipient: FoundRecipient['recipient'],
  current: Record<string, unknown>,
): Promise<Record<string, string>> {
  if (!context.interactive)
    throw usage('nothing to change was given', 'name it: --detail bank_account=0123456789');
  const [{ accountJudge, askDetails }, { offeredFields }] = await Promise.all([
    import('./details.ts'),
    import('../../desk/payments/offered.ts'),
  ]);
  const offered = recipient.payout_method?.fields ?? undefined;
  const type = recipient.payout_method?.type ?? '';
  const descriptors = offered ?? (await offeredFields(context, type, kindOf(recipient)));
  if (!descriptors)
    throw usage(`remit does not know the fields of ${type}`, 'name the detail: --detail NAME=VALUE');
  return askDetails(context, descriptors, { current, judge: await accountJudge(type, kindOf(recipient)) });
}
