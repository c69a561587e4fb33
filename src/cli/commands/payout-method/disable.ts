/** Switches a stored payout method off. A lost answer is settled by reading it again. */
import { disablePayoutMethod, getPayoutMethod } from '../../../contract/operations/payout-methods.ts';
import type { PayoutMethod } from '../../../contract/resources/payment-method.ts';
import { readOne } from '../../../desk/lookup/read-one.ts';
import { admit } from '../../../desk/payments/gate.ts';
import { plainWrite } from '../../../desk/payments/plain-write.ts';
import { methodLine } from '../../../desk/words/payment-lines.ts';
import { command, result } from '../../command.ts';
import { idArgument, readId } from '../../flags/ids.ts';
import { payoutMethodView } from '../../views/payout-method.ts';

export { disable as command };

const next = 'remit payout-method list shows them';

const disable = command<{ id: string }>({
  description: 'Nothing in this interface enables it again; payouts that use it go on.',
  args: [idArgument('payout method')],
  shows: [payoutMethodView],
  effect: 'destructive',
  examples: ['remit payout-method disable 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11'],
  read: (input) => ({ id: readId(input, 'payout method', next) }),
  async run(context, { id }) {
    const method = await readOne(context, getPayoutMethod, id, { thing: 'payout method', next });
    if (method.state === 'disabled')
      return result(payoutMethodView, method, { notes: ['it is disabled already; nothing was sent'] });
    const pass = await admit(
      context,
      { effect: 'destructive', what: [`disable ${methodLine(method, context.mask)}`] },
      context.approver,
    );
    const path = { payout_method_id: id };
    const written = await plainWrite<PayoutMethod>(context, pass, {
      send: async (client) => (await client.call(disablePayoutMethod, { path, expect })).object,
      async look(client) {
        const { object } = await client.call(getPayoutMethod, { path });
        return object.state === 'disabled' ? { kind: 'applied', value: object } : { kind: 'absent' };
      },
      repeatable: true,
      effect: 'destructive',
      next: `remit payout-method show ${id}`,
    });
    return result(payoutMethodView, written.value, { notes: written.notes });
  },
});

const expect = ({ object }: { object: PayoutMethod }): string | undefined =>
  object.state === 'disabled' ? undefined : `the answer does not say that it is disabled: ${object.state}`;
