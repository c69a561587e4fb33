/** Sentences for users who approve or reject a run. */
import { type Hint, hint } from '../core/next.ts';
import { usage } from '../core/problem.ts';
import type { Desk } from '../payments/desk.ts';
import type { Signer } from '../profiles/approver-key.ts';
import { signaturesWanted } from '../profiles/policy-downgrade.ts';
import { whoHolds } from './persons.ts';
import type { PayRun } from './store/port.ts';

/** Where the same machine pays by signatures alone, an approval without one would be worth nothing. @throws Problem (usage) */
export async function refuseUnsignedApproval(desk: Desk): Promise<void> {
  const { limits, name } = await desk.connection();
  if (signaturesWanted(limits) === undefined) return;
  throw usage(
    `profile "${name}" pays what is signed alone, and this machine has no key of an approver`,
    hint`make one: ${{ do: 'create_approver' }}. Then it is accepted with ${{ do: 'change_profile', profile: name, setting: 'approvers', value: 'FILE' }}`,
  );
}

export function rejectedNote(signer: Signer | undefined): Hint {
  const how = signer === undefined ? 'Rejected, and not signed' : `Rejected; ${signer.name} signed it`;
  return `${how}. Nobody pays the run before it is approved again; what was sent before stays sent.`;
}

export function signedNote(signer: Signer, run: PayRun): Hint {
  const { until = '' } = run.statements.findLast(({ key }) => key === signer.key) ?? {};
  return hint`${signer.name} signed it; nothing was sent. The signature holds until ${until}, by the time of the service. To pay the run: ${{ do: 'pay_run', name: run.name }}`;
}

/** @param before the run as it was found: the same where it was approved already */
export const approvedNote = (before: PayRun, run: PayRun): Hint =>
  hint`${before === run ? 'It was approved before; nothing was changed' : 'Approved; nothing was sent'}. To pay it: ${{ do: 'pay_run', name: run.name }}`;

/** An approval lets nothing of a run leave that is on hold. */
export const heldNotes = ({ name, hold }: PayRun): Hint[] =>
  hold === undefined
    ? []
    : [
        hint`It is on hold, by ${whoHolds(hold)}: ${hold.because}. Nothing of it is paid before it is released: ${{ do: 'release_run', name }}`,
      ];
