/** Forces payouts in a sandbox, or says what the provider answers: no money is real, so nothing is kept but the answer. */

import { type PayoutOutcome, payoutOutcomes } from '../../../contract/controls/index.ts';
import { forcePayout } from '../../../contract/operations/transactions.ts';
import type { Recipient } from '../../../contract/resources/transaction.ts';
import { isUnderWay, isWithService } from '../../../contract/states/recipient.ts';
import { usage } from '../../../core/problem.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import { result } from '../../../payments/cli/result.ts';
import { transactionView } from '../../../payments/cli/views/transaction.ts';
import { byName } from '../../../payments/confirmation.ts';
import { authorizeWrite } from '../../../payments/gate.ts';
import { findTransaction } from '../../../payments/lookup/transaction.ts';
import { recipientLine } from '../../../payments/words/payment-lines.ts';
import { control, controlAccess } from '../control.ts';
import { decidedView } from '../views/sandbox.ts';

type Told = Record<'id' | 'state', string>;

export const command = defineCommand({
  description: `Without --outcome or --code the payouts of a funded, unpaid transaction succeed. With one of them the provider gives that answer: at once if the payout is pending, else at its next try. stuck, overpaid, exception and manual have no code. stuck means that the provider does not answer: the payout is stuck after a day. manual stops the tries. Refused in production before anything is sent.`,
  args: [{ name: 'ID', summary: 'the transaction’s id or external id' }],
  flags: {
    outcome: { value: 'word', summary: 'what the provider answers', choices: payoutOutcomes },
    code: { value: 'code', summary: 'the code that the provider answers, such as 416' },
    recipient: { value: 'number', summary: 'which recipient, from 1; all open ones if you do not say' },
  },
  shows: [decidedView, transactionView],
  effect: 'money',
  examples: [
    'remit sandbox payout wages-1',
    'remit sandbox payout wages-1 --code 416',
    'remit sandbox payout wages-1 --outcome stuck --recipient 1',
  ],
  read(input) {
    const recipient = input.flags.recipient;
    if (recipient !== undefined && !/^[1-9]\d{0,3}$/.test(recipient))
      throw usage(`--recipient ${recipient} is not a number from 1`);
    const outcome = input.flags.outcome as PayoutOutcome | undefined;
    const code = input.flags.code;
    if (outcome !== undefined && code !== undefined) throw usage('say --outcome or --code, not both');
    if (recipient !== undefined && outcome === undefined && code === undefined)
      throw usage('--recipient needs --outcome or --code: a forced payout is for the whole transaction');
    return {
      id: input.args[0] ?? '',
      recipient: recipient === undefined ? undefined : Number(recipient),
      outcome,
      code,
    };
  },
  async run(context, { id, recipient, outcome, code }) {
    await authorizeWrite(
      context,
      { effect: 'money', sandboxOnly: true, what: [], confirm: byName('sandbox') },
      context.confirmer,
    );
    if (outcome !== undefined || code !== undefined) await controlAccess(context);
    const { transaction } = await findTransaction(context, id, 'write');
    const all = transaction.recipients ?? [];
    if (outcome !== undefined || code !== undefined) {
      const chosen = recipient === undefined ? transaction.id : all[recipient - 1]?.id;
      if (!chosen) throw usage(`the transaction has ${all.length} recipients, not ${recipient}`);
      const body = outcome === undefined ? { code } : { outcome };
      const told = await control<Told[]>(context, 'sandbox.payouts.answer', { id: chosen, body });
      return result(decidedView, told, { notes: whenSeen(told, all, outcome) });
    }
    for (const each of all) context.say(`  force ${recipientLine(each, context.mask)}`);
    const { object } = await (await context.client()).call(forcePayout, {
      path: { transaction_id: transaction.id ?? '' },
    });
    return result(transactionView, object);
  },
});

/** Returns notes on when the outcome is seen: it is not seen yet in every state. */
function whenSeen(
  told: readonly Told[],
  before: readonly Recipient[],
  outcome: PayoutOutcome | undefined,
): string[] {
  const waited = before.filter(({ state }) => isWithService(state));
  const later = told.some(({ id }) => waited.some((each) => each.id === id));
  const silent = outcome === 'stuck' && told.some(({ state }) => isUnderWay(state));
  return [
    ...(silent ? ['it is stuck after a day of silence: remit sandbox clock advance 25h'] : []),
    ...(later ? ['a payout that is not pending hears it at its next try'] : []),
  ];
}
