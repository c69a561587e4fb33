/** Forces the payin of a collection in a sandbox, or says what became of it. */

import { type PayinOutcome, payinOutcomes } from '../../../contract/controls/index.ts';
import { payinTypes } from '../../../contract/corridors/payins.ts';
import { forcePayin } from '../../../contract/operations/transactions.ts';
import { usage } from '../../../core/problem.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { result } from '../../../payments/cli/result.ts';
import { transactionView } from '../../../payments/cli/views/transaction.ts';
import { byName } from '../../../payments/confirmation.ts';
import { authorizeWrite } from '../../../payments/gate.ts';
import { findTransaction } from '../../../payments/lookup/transaction.ts';
import { control, controlAccess } from '../control.ts';
import { decidedView } from '../views/sandbox.ts';

export const command = defineCommand({
  description: `The transaction must be a collection that waits for its customer. Without a flag the payin succeeds. --amount is what the customer paid: another amount than was asked is mispaid where the provider permits that, and an error elsewhere. Refused in production before anything is sent.`,
  args: [{ name: 'ID', summary: 'the transaction’s id or external id' }],
  flags: {
    type: {
      value: 'type',
      summary: 'the payin type; that of the collection if you do not say',
      choices: payinTypes.map(({ type }) => type),
    },
    amount: { value: 'amount', summary: 'what the customer paid, in the input currency' },
    outcome: { value: 'word', summary: 'what becomes of it instead', choices: payinOutcomes },
    code: { value: 'code', summary: 'it fails with this code, such as 412' },
  },
  shows: [decidedView, transactionView],
  effect: 'money',
  examples: [
    'remit sandbox payin collection-17',
    'remit sandbox payin collection-17 --amount 50',
    'remit sandbox payin collection-17 --outcome processing',
  ],
  read(input) {
    const amount = input.flags.amount;
    const outcome = input.flags.outcome as PayinOutcome | undefined;
    const code = input.flags.code;
    if ([amount, outcome, code].filter((each) => each !== undefined).length > 1)
      throw usage('say one of --amount, --outcome and --code');
    if (amount !== undefined && !/^\d+(?:\.\d+)?$/.test(amount)) throw usage(`"${amount}" is not an amount`);
    return {
      id: input.args[0] ?? '',
      type: input.flags.type,
      word: {
        ...(amount === undefined ? {} : { amount }),
        ...(outcome === undefined ? {} : { outcome }),
        ...(code === undefined ? {} : { code }),
      },
    };
  },
  async run(context, { id, type, word }) {
    await authorizeWrite(
      context,
      { effect: 'money', sandboxOnly: true, what: [], confirm: byName('sandbox') },
      context.confirmer,
    );
    const isTold = Object.keys(word).length > 0;
    if (isTold) await controlAccess(context);
    const { transaction } = await findTransaction(context, id, 'write');
    const chosen = type ?? transaction.payin_methods?.[0]?.type;
    if (!chosen)
      throw usage(
        `transaction ${transaction.id} is not a collection: it has no payin method`,
        'fund it: remit tx fund',
      );
    if (isTold)
      return result(
        decidedView,
        await control(context, 'sandbox.payins.receive', { id: transaction.id ?? '', body: word }),
      );
    const client = await context.client();
    const { object } = await client.call(forcePayin, {
      path: { transaction_id: transaction.id ?? '' },
      body: { payin_method: { type: chosen } },
    });
    return result(transactionView, object);
  },
});
