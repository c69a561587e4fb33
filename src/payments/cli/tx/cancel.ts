import { exitCodes } from '../../../frame/exit-codes.ts';
import { cancelRecipients, planCancel } from '../../cancel.ts';
import { authorizeWrite } from '../../gate.ts';
import { findTransaction } from '../../lookup/transaction.ts';
import { defineCommand } from '../command.ts';
import { cancelFlags, readCancel } from '../flags/wait.ts';
import { cancelResult, endingView, shownEnding } from '../views/ending.ts';

export const command = defineCommand({
  description:
    'The service cancels recipients, not transactions. So each recipient is cancelled on its own and has its own ending. The worst ending decides the exit code: 0 only if every recipient is refunded, or was never funded.',
  args: [{ name: 'ID', summary: 'the transaction’s id or external id' }],
  flags: cancelFlags,
  shows: [endingView],
  effect: 'destructive',
  exits: [exitCodes.pending, exitCodes.check],
  examples: [
    'remit tx cancel 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11 --wait',
    'remit tx cancel wages-1 --request --wait --timeout 5m',
  ],
  read: (input) => ({ id: input.args[0] ?? '', how: readCancel(input) }),
  async run(context, { id, how }) {
    const { transaction, explicit } = await findTransaction(context, id, 'write');
    const targets = (transaction.recipients ?? []).map((recipient) => ({ recipient, transaction, explicit }));
    const plan = await planCancel(context, targets, how);
    const endings = await cancelRecipients(
      context,
      await authorizeWrite(context, plan.step, context.confirmer),
      plan,
    );
    return cancelResult(endings, endings.map(shownEnding));
  },
});
