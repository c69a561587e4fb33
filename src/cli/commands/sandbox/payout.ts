/** Forces payouts in a sandbox: no money is real, so nothing is kept but the answer. */
import { forcePayout } from '../../../contract/operations/transactions.ts';
import { command, result } from '../../command.ts';
import { guard } from '../../guard.ts';
import { recipientLine } from '../../payment/lines.ts';
import { findTransaction } from '../../resolve.ts';
import { transactionView } from '../../views/transaction.ts';

export { payout as command };

const payout = command<{ id: string }>({
  description: 'The transaction must be funded and unpaid. Refused in production before anything is sent.',
  args: [{ name: 'ID', summary: 'the transaction’s id or external id' }],
  examples: ['remit sandbox payout invoice-2024-17'],
  read: (input) => ({ id: input.args[0] ?? '' }),
  async run(context, { id }) {
    await guard(context, { effect: 'money', sandboxOnly: true, what: [] });
    const { transaction } = await findTransaction(context, id, 'write');
    for (const recipient of transaction.recipients ?? [])
      context.say(`  force ${recipientLine(recipient, context.mask)}`);
    const { object } = await (await context.client()).call(forcePayout, {
      path: { transaction_id: transaction.id ?? '' },
    });
    return result(transactionView, object);
  },
});
