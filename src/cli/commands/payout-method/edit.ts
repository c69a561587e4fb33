import { getPayoutMethod } from '../../../contract/operations/payout-methods.ts';
import type { PayoutMethod } from '../../../contract/resources/payment-method.ts';
import { usage } from '../../../core/problem.ts';
import {
  leaveMethod,
  planRedirection,
  redirectPayoutMethod,
  refuseDisabled,
} from '../../../desk/directory/payout-method.ts';
import { readOne } from '../../../desk/lookup/read-one.ts';
import { partyOf } from '../../../desk/payments/details.ts';
import { admit } from '../../../desk/payments/gate.ts';
import { confirmChange } from '../../ask/changes.ts';
import { inRounds } from '../../ask/rounds.ts';
import { command, result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { flagMany, flagOn } from '../../flags/flag.ts';
import { idArgument, readId } from '../../flags/ids.ts';
import { readPairs } from '../../flags/pairs.ts';
import { payoutMethodView } from '../../views/payout-method.ts';

export interface EditOptions {
  id: string;
  details: Record<string, string>;
  newPayment: boolean;
}

export { edit as command };

const next = 'remit payout-method list shows them';

const edit = command<EditOptions>({
  description:
    'To correct the details of one recipient, use remit recipient edit. Without flags, on a terminal, remit asks for each detail.',
  args: [idArgument('payout method')],
  flags: [
    {
      flags: '--detail <name=value>',
      summary: 'one detail to change, such as bank_account=0123456789; repeat it',
      many: true,
    },
    { flags: '--new-payment', summary: 'send it even if an earlier try of it is not settled' },
  ],
  shows: [payoutMethodView],
  effect: 'money',
  examples: [
    'remit payout-method edit 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11 --detail bank_account=0123456700',
  ],
  read: (input) => ({
    id: readId(input, 'payout method', next),
    details: readPairs(flagMany(input, 'detail'), '--detail'),
    newPayment: flagOn(input, 'newPayment'),
  }),
  async run(context, { id, details, newPayment }) {
    const method = await readOne(context, getPayoutMethod, id, {
      thing: 'payout method',
      next,
      kind: 'payout_method',
      use: 'write',
    });
    refuseDisabled(method);
    const current = method.details ?? {};
    const wasAsked = Object.keys(details).length === 0;
    const asked = wasAsked ? await askChanges(context, method) : details;
    return inRounds(context, { asked, current, wasAsked }, async (changes, confirm) => {
      const plan = await planRedirection(context, method, changes);
      if (Object.keys(plan.changes).length === 0) {
        const { value, notes } = await leaveMethod(context, plan);
        return result(payoutMethodView, value, { notes });
      }
      const pass = await admit(context, plan.step, context.approver);
      await confirmChange(context, confirm);
      return result(payoutMethodView, await redirectPayoutMethod(context, pass, plan, { newPayment }));
    });
  },
});

async function askChanges(context: Context, method: PayoutMethod): Promise<Record<string, string>> {
  if (!context.interactive) throw usage('no change was given', 'name it: --detail bank_account=0123456789');
  const [{ accountJudge, askDetails }, { offeredFields }] = await Promise.all([
    import('../../ask/details.ts'),
    import('../../../desk/payments/offered.ts'),
  ]);
  const current = method.details ?? {};
  const descriptors = method.fields ?? (await offeredFields(context, method.type ?? '', partyOf(current)));
  if (!descriptors)
    throw usage(`remit does not know the fields of ${method.type}`, 'name the detail: --detail NAME=VALUE');
  return askDetails(context, descriptors, {
    current,
    judge: await accountJudge(method.type ?? '', partyOf(current)),
  });
}
