import { partyOf } from '../../../contract/corridors/wrong-details.ts';
import { getPayoutMethod } from '../../../contract/operations/payout-methods.ts';
import {
  leaveMethod,
  planRedirection,
  redirectPayoutMethod,
  refuseDisabled,
} from '../../../desk/directory/payout-method.ts';
import { readOne } from '../../../desk/lookup/read-one.ts';
import { admit } from '../../../desk/payments/gate.ts';
import type { Descriptors } from '../../../desk/payments/offered.ts';
import { correctionForm } from '../../ask/edit-details.ts';
import { throughForm } from '../../ask/form.ts';
import { command, result } from '../../command.ts';
import { accountAsWrittenFlag, readAccountAsWritten, readPairs } from '../../flags/details.ts';
import { idArgument, readId } from '../../flags/ids.ts';
import { pairWords, sameCommand } from '../../output/command-line.ts';
import { payoutMethodView } from '../../views/payout-method.ts';

export interface EditOptions {
  id: string;
  details: Record<string, string>;
  accountAsWritten: boolean;
  newPayment: boolean;
}

export { edit as command };

const next = 'remit payout-method list shows them';

const edit = command({
  description:
    'To correct the details of one recipient, use remit recipient edit. Without flags, on a terminal, remit asks what is to be changed.',
  args: [idArgument('payout method')],
  flags: {
    detail: {
      value: 'name=value',
      summary: 'one detail to change, such as bank_account=0123456789; repeat it',
      many: true,
    },
    ...accountAsWrittenFlag,
    newPayment: { summary: 'send it even if an earlier try of it is not settled' },
  },
  shows: [payoutMethodView],
  effect: 'money',
  examples: [
    'remit payout-method edit 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11 --detail bank_account=0123456700',
  ],
  read: (input): EditOptions => ({
    id: readId(input, 'payout method', next),
    details: readPairs(input.flags.detail, '--detail'),
    accountAsWritten: readAccountAsWritten(input),
    newPayment: input.flags.newPayment,
  }),
  async run(context, { id, details: given, accountAsWritten: asWritten, newPayment }) {
    const details: Record<string, unknown> = { ...given };
    const method = await readOne(context, getPayoutMethod, id, {
      thing: 'payout method',
      next,
      kind: 'payout_method',
      use: 'write',
    });
    refuseDisabled(method);
    const form = correctionForm(context, {
      type: method.type ?? '',
      kind: partyOf(method.details),
      prefix: '',
      current: method.details ?? {},
      details,
      descriptors: (method.fields as Descriptors | null | undefined) ?? undefined,
    });
    return throughForm(context, form, async (approver, wasAsked) => {
      const plan = await planRedirection(context, method, details, { approver, asWritten });
      if (Object.keys(plan.changes).length === 0) {
        const { value, notes } = await leaveMethod(context, plan);
        return result(payoutMethodView, value, { notes });
      }
      const pass = await admit(context, plan.step, approver);
      const changed = await redirectPayoutMethod(context, pass, plan, { newPayment });
      const same = wasAsked()
        ? sameCommand(context, [id, ...pairWords('detail', plan.changes)], {
            'account-as-written': plan.isAsWritten,
          })
        : [];
      return result(payoutMethodView, changed, { notes: same });
    });
  },
});
