import { exitCodes } from '../../../frame/exit-codes.ts';
import { cancelRecipients, planCancel, refusePredictedRefusal } from '../../cancel.ts';
import { authorizeWrite } from '../../gate.ts';
import { chooseRecipients } from '../ask/find.ts';
import { defineCommand } from '../command.ts';
import { recipientArgument, txFlag } from '../flags/ids.ts';
import { cancelFlags, readCancel } from '../flags/wait.ts';
import { cancelResult, endingView, shownEnding } from '../views/ending.ts';

export const command = defineCommand({
  description:
    'A cancel takes time. If a payout is already with the provider, you can only request a cancel (--request), and it may still be paid. The last lines are the result: one row and one ending for each recipient. The worst ending decides the exit code.',
  args: [{ ...recipientArgument, many: true }],
  flags: { ...txFlag, ...cancelFlags },
  shows: [endingView],
  effect: 'destructive',
  exits: [exitCodes.pending, exitCodes.check],
  examples: [
    'remit recipient cancel 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11',
    'remit recipient cancel 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11 --request --wait --timeout 5m',
    'remit recipient cancel wages-1 wages-2 wages-3',
  ],
  read: (input) => ({
    ids: [...new Set(input.args)],
    tx: input.flags.tx,
    how: readCancel(input),
  }),
  async run(context, { ids, tx, how }) {
    const found = await chooseRecipients(context, ids, { tx, use: 'write' });
    const plan = await planCancel(context, found, how);
    refusePredictedRefusal(plan);
    const endings = await cancelRecipients(
      context,
      await authorizeWrite(context, plan.step, context.confirmer),
      plan,
    );
    const [first, ...more] = endings.map(shownEnding);
    return cancelResult(endings, first && more.length === 0 ? first : endings.map(shownEnding));
  },
});
