/**
 * The state of a payment after it was funded: one look, or as many as `--wait` allows. A look that fails
 * changes nothing.
 */
import { getTransaction } from '../../../contract/operations/transactions.ts';
import type { Transaction } from '../../../contract/resources/transaction.ts';
import { isFailedPayout } from '../../../contract/states/money.ts';
import { type Hint, hint } from '../../../core/next.ts';
import { exitCodes } from '../../../frame/exit-codes.ts';
import { problemOf } from '../../problem-of.ts';
import { waitForTransaction } from '../../wait.ts';
import type { Context } from '../context.ts';
import { type Result, result } from '../result.ts';
import { transactionView } from '../views/transaction.ts';

/** Looks without a wait: a payout that failed at once must not read as just begun. */
export async function lookedAt(context: Context, funded: Transaction): Promise<Transaction> {
  try {
    const client = await context.writingClient();
    return (await client.call(getTransaction, { path: { transaction_id: funded.id ?? '' } })).object;
  } catch {
    return funded;
  }
}

/** It is funded: a look that fails afterwards must not make that unsure. */
export async function waited(
  context: Context,
  funded: Transaction,
  { waitMs, notes = [] }: { waitMs: number; notes?: readonly Hint[] },
): Promise<Result> {
  try {
    const { transaction, ended } = await waitForTransaction(context, funded.id ?? '', waitMs);
    const isPaid = transaction.state === 'paid';
    return result(transactionView, transaction, {
      exit: !ended ? exitCodes.pending : isPaid ? exitCodes.ok : exitCodes.failed,
      notes: [...notes, ...failedNotes(transaction)],
    });
  } catch (error) {
    return result(transactionView, funded, {
      exit: exitCodes.pending,
      notes: [
        ...notes,
        `It is funded. It could not be read again, so this is how it was before: ${problemOf(error).message}`,
      ],
    });
  }
}

/** The payouts that need someone, with the command that says why. */
export const failedNotes = ({ recipients }: Transaction): Hint[] =>
  (recipients ?? [])
    .filter(({ state }) => isFailedPayout(state))
    .map(
      ({ id }) =>
        hint`The payout failed. ${{ do: 'show_recipient', id: id ?? '' }} says why and what can be done.`,
    );
