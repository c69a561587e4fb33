import { findTransaction } from '../../../desk/lookup/transaction.ts';
import { control, controlAccess } from '../../../desk/sandbox/control.ts';
import { command, result } from '../../command.ts';
import { decidedView } from '../../views/sandbox.ts';

export { refund as command };

const refund = command({
  description:
    'Does what the operator would do. The money of a collection did not come from a balance, so there is no automatic refund.',
  args: [{ name: 'ID', summary: 'the transaction’s id or external id' }],
  shows: [decidedView],
  effect: 'write',
  examples: ['remit sandbox refund order-17'],
  read: (input): { id: string } => ({ id: input.args[0] ?? '' }),
  async run(context, { id }) {
    await controlAccess(context);
    const { transaction } = await findTransaction(context, id, 'write');
    return result(decidedView, await control(context, 'sandbox.refunds.post', { id: transaction.id ?? '' }));
  },
});
