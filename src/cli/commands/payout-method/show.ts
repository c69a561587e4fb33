import { getPayoutMethod } from '../../../contract/operations/payout-methods.ts';
import { readOne } from '../../../desk/lookup/read-one.ts';
import { command, result } from '../../command.ts';
import { idArgument, readId } from '../../flags/ids.ts';
import { payoutMethodView } from '../../views/payout-method.ts';

export { show as command };

const next = 'remit payout-method list shows them';

const show = command({
  args: [idArgument('payout method')],
  shows: [payoutMethodView],
  effect: 'read',
  examples: ['remit payout-method show 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11'],
  read: (input): { id: string } => ({ id: readId(input, 'payout method', next) }),
  async run(context, { id }) {
    const found = await readOne(context, getPayoutMethod, id, {
      thing: 'payout method',
      next,
      kind: 'payout_method',
    });
    return result(payoutMethodView, found);
  },
});
