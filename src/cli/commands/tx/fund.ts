/**
 * Funds a transaction from the balance. Reads it first and sends exactly the amount and currency it read, so that what was
 * shown is what is paid. If the process dies after the intent is written, the same command again settles nothing by itself:
 * the transaction is read again before anything is sent (`remit history settle`).
 */
import { isFunded } from '../../../client/funded.ts';
import type { Transaction } from '../../../contract/resources/transaction.ts';
import { isCalledOff } from '../../../contract/states/money.ts';
import { Problem } from '../../../core/problem.ts';
import { findTransaction, seenIn } from '../../../desk/lookup/transaction.ts';
import { admit } from '../../../desk/payments/gate.ts';
import { write } from '../../../desk/payments/write.ts';
import { money } from '../../../desk/words/amount.ts';
import { maskedRecipient, recipientLine } from '../../../desk/words/payment-lines.ts';
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
    const { transaction, explicit } = await findTransaction(context, id, 'write');
    if (transaction.state !== 'approved') {
      const made = await fundedEarlier(context, transaction);
      if (made !== undefined) return made;
    }
    refuseUnfundable(transaction);
    const { input_amount: amount, input_currency: currency } = transaction;
    const pass = await admit(
      context,
      {
        effect: 'money',
        explicitId: explicit,
        amounts: [{ amount, currency }],
        what: [
          `pay ${money(amount, currency)} from the balance`,
          ...(transaction.recipients ?? []).map((one) => `  ${recipientLine(one, context.mask)}`),
        ],
      },
      context.approver,
    );
    const debit = {
      to_id: transaction.id ?? '',
      to_type: 'Transaction' as const,
      ...(amount && currency ? { amount, currency } : {}),
    };
    const { value } = await write<Transaction>(context, pass, {
      asked: { plan: 'debit', debit },
      subject: transaction.id ?? undefined,
      transactionId: transaction.id ?? undefined,
      summary: `${money(amount, currency)} for ${(transaction.recipients ?? []).map(maskedRecipient).join('; ')}`,
      newPayment,
    });
    const shown = value.state ? value : transaction;
    await context.remember(seenIn(shown));
    if (waitMs === undefined) {
      const stale = value.state
        ? []
        : ['it is funded; it could not be read again: this is how it read before'];
      return result(transactionView, shown, { notes: [...stale, `next: remit tx show ${transaction.id}`] });
    }
    return waited(context, shown, waitMs);
  },
});

/** By an earlier run of ours that nobody was told about: then this is its answer. */
async function fundedEarlier(context: Context, transaction: Transaction): Promise<Result | undefined> {
  const { earlierDebit } = await import('../../../desk/payments/earlier.ts');
  const note = await earlierDebit(context, transaction.id ?? '');
  return note === undefined ? undefined : result(transactionView, transaction, { notes: [note] });
}

/** It is funded: a look that fails afterwards must not make that unsure. */
async function waited(context: Context, funded: Transaction, waitMs: number): Promise<Result> {
  const { waitForTransaction } = await import('../../../desk/payments/wait.ts');
  try {
    const { transaction, ended } = await waitForTransaction(context, funded.id ?? '', waitMs);
    return result(transactionView, transaction, {
      exit: ended ? endingOf(transaction) : exitCodes.pending,
    });
  } catch (error) {
    const { problemOf } = await import('../../../desk/problem-of.ts');
    return result(transactionView, funded, {
      exit: exitCodes.pending,
      notes: [
        `it is funded; this is how it read before, since it could not be read again: ${problemOf(error).message}`,
      ],
    });
  }
}

const endingOf = (transaction: Transaction) =>
  transaction.state === 'paid' ? exitCodes.ok : exitCodes.failed;

function refuseUnfundable(transaction: Transaction): void {
  if (transaction.state === 'approved') return;
  const id = transaction.id;
  const over = isCalledOff(transaction.state);
  const said =
    isFunded(transaction) && !over
      ? `transaction ${id} is funded already (state: ${transaction.state})`
      : `transaction ${id} cannot be funded (state: ${transaction.state})`;
  const hint =
    transaction.state === 'initial'
      ? 'wait until its sender is approved'
      : over
        ? 'create it again: remit tx create'
        : `remit tx show ${id}`;
  throw new Problem({
    category: 'conflict',
    code: 'not_fundable',
    message: said,
    hint,
    outcome: 'not applied',
    outcomeNote: 'nothing was sent',
  });
}
