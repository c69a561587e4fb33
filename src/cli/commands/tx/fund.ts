/** Funds a transaction from the balance (desk/payments/fund.ts), and waits for what becomes of it where that is asked. */
import type { Transaction } from '../../../contract/resources/transaction.ts';
import { said } from '../../../core/next.ts';
import { findTransaction, seenIn } from '../../../desk/lookup/transaction.ts';
import { fund as fundIt, planFunding } from '../../../desk/payments/fund.ts';
import { admit } from '../../../desk/payments/gate.ts';
import { command, type Result, result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { flagOn } from '../../flags/flag.ts';
import { readWait, waitFlags } from '../../flags/wait.ts';
import { transactionView } from '../../views/transaction.ts';

export interface FundOptions {
  id: string;
  waitMs: number | undefined;
  newPayment: boolean;
}

export { fund as command };

const fund = command<FundOptions>({
  args: [{ name: 'ID', summary: 'the transaction’s id or external id' }],
  flags: [
    ...waitFlags('it is paid or needs someone'),
    { flags: '--new-payment', summary: 'send it although an earlier try is not settled' },
  ],
  shows: [transactionView],
  effect: 'money',
  exits: [exitCodes.pending],
  examples: ['remit tx fund 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11', 'remit tx fund invoice-2024-17 --wait'],
  read: (input) => ({
    id: input.args[0] ?? '',
    waitMs: readWait(input),
    newPayment: flagOn(input, 'newPayment'),
  }),
  async run(context, { id, waitMs, newPayment }) {
    const found = await findTransaction(context, id, 'write');
    if (found.transaction.state !== 'approved') {
      const made = await fundedEarlier(context, found.transaction);
      if (made !== undefined) return made;
    }
    const plan = planFunding(context, found);
    const pass = await admit(context, plan.step, context.approver);
    const { transaction, notes } = await fundIt(context, pass, plan, { newPayment });
    await context.remember(seenIn(transaction));
    const { failedNotes, lookedAt, waited } = await import('../../output/after-funding.ts');
    if (waitMs !== undefined) return waited(context, transaction, { waitMs, notes });
    const now = await lookedAt(context, transaction);
    const next = said`Next: ${{ do: 'show_transaction', id: now.id ?? '' }}`;
    return result(transactionView, now, { notes: [...notes, ...failedNotes(now), next] });
  },
});

/** By an earlier run of ours that nobody was told about: then this is its answer. */
async function fundedEarlier(context: Context, transaction: Transaction): Promise<Result | undefined> {
  if (!transaction.id) return undefined;
  const { earlierDebit } = await import('../../../desk/payments/earlier.ts');
  const note = await earlierDebit(context, transaction.id);
  return note === undefined ? undefined : result(transactionView, transaction, { notes: [note] });
}
