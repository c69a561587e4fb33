import { getPayoutMethod } from '../../../contract/operations/payout-methods.ts';
import { disablePayoutMethod, disablingStep } from '../../../desk/directory/payout-method.ts';
import { readOne } from '../../../desk/lookup/read-one.ts';
import { admit } from '../../../desk/payments/gate.ts';
import { command, result } from '../../command.ts';
import { idArgument, readId } from '../../flags/ids.ts';
import { payoutMethodView } from '../../views/payout-method.ts';

export { disable as command };

const next = 'remit payout-method list shows them';

const disable = command({
  description:
    'You cannot enable it again: the service has no call for that. Payouts that already use it continue.',
  args: [idArgument('payout method')],
  shows: [payoutMethodView],
  effect: 'destructive',
  examples: ['remit payout-method disable 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11'],
  read: (input): { id: string } => ({ id: readId(input, 'payout method', next) }),
  async run(context, { id }) {
    const method = await readOne(context, getPayoutMethod, id, {
      thing: 'payout method',
      next,
      kind: 'payout_method',
      use: 'write',
    });
    if (method.state === 'disabled')
      return result(payoutMethodView, method, { notes: ['it is disabled already; nothing was sent'] });
    const pass = await admit(context, disablingStep(context, method), context.approver);
    const { value, notes } = await disablePayoutMethod(context, pass, method);
    return result(payoutMethodView, value, { notes });
  },
});
