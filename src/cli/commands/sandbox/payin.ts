/** Forces the payin of a collection in a sandbox. */

import { payinTypes } from '../../../contract/corridors/payins.ts';
import { forcePayin } from '../../../contract/operations/transactions.ts';
import { command, flagText, result } from '../../command.ts';
import { usage } from '../../failure.ts';
import { guard } from '../../guard.ts';
import { findTransaction } from '../../resolve.ts';
import { transactionView } from '../../views/transaction.ts';

export { payin as command };

const payin = command<{ id: string; type: string | undefined }>({
  description:
    'The transaction must be a collection that waits for its customer. Refused in production before anything is sent.',
  args: [{ name: 'ID', summary: 'the transaction’s id or external id' }],
  flags: [
    {
      flags: '--type <type>',
      summary: 'the payin type; that of the collection if you do not say',
      choices: payinTypes.map(({ type }) => type),
    },
  ],
  examples: ['remit sandbox payin collection-17 --type GHS::Mobile'],
  read: (input) => ({ id: input.args[0] ?? '', type: flagText(input, 'type') }),
  async run(context, { id, type }) {
    await guard(context, { effect: 'money', sandboxOnly: true, what: [] });
    const { transaction } = await findTransaction(context, id, 'write');
    const chosen = type ?? transaction.payin_methods?.[0]?.type;
    if (!chosen)
      throw usage(
        `transaction ${transaction.id} is not a collection: it has no payin method`,
        'fund it: remit tx fund',
      );
    const client = await context.client();
    const { object } = await client.call(forcePayin, {
      path: { transaction_id: transaction.id ?? '' },
      body: { payin_method: { type: chosen } },
    });
    return result(transactionView, object);
  },
});
