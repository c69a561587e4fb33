/** A transaction that was paid with another amount: what each recipient gets of it. */

import { isNotStarted } from '../../contract/states/recipient.ts';
import { roundFor } from '../../core/currency.ts';
import { invariant } from '../../core/invariants.ts';
import { add, type Decimal, div, eq, gt, isZero, mul, sub } from '../../core/money.ts';
import { inDollars } from '../rates.ts';
import type { RecipientRecord, TransactionRecord } from '../store/records.ts';
import { recipientsOf } from '../views/transaction.ts';
import type { SandboxWorld } from '../world.ts';

interface Share {
  recipient: RecipientRecord;
  amounts: Pick<RecipientRecord, 'inputAmount' | 'outputAmount' | 'inputUsdAmount'>;
}

/**
 * Each has the share that it had, the last one takes what rounding leaves; null when someone would get nothing.
 * @assumes resize-shares
 */
export function resized(
  world: SandboxWorld,
  transaction: TransactionRecord,
  amount: Decimal,
): Share[] | null {
  /* A recipient that was cancelled after the money came in has its share of it, to be returned. */
  const open = recipientsOf(world.store, transaction).filter(
    ({ state, dropped }) => isNotStarted(state) || (state === 'canceled' && !dropped),
  );
  invariant(gt(transaction.inputAmount, '0'), `transaction ${transaction.id} costs something`);
  const shares: Share[] = [];
  let left = amount;
  for (const [index, recipient] of open.entries()) {
    const part = div(mul(amount, recipient.inputAmount), transaction.inputAmount);
    const inputAmount = index === open.length - 1 ? left : roundFor(transaction.inputCurrency, part);
    const outputAmount = roundFor(recipient.outputCurrency, mul(inputAmount, recipient.rate));
    if (!gt(inputAmount, '0') || isZero(outputAmount)) return null;
    left = sub(left, inputAmount);
    const inputUsdAmount = inDollars(inputAmount, transaction.inputCurrency);
    shares.push({ recipient, amounts: { inputAmount, outputAmount, inputUsdAmount } });
  }
  const sum = shares.reduce((total, { amounts }) => add(total, amounts.inputAmount), '0');
  return shares.length > 0 && eq(sum, amount) ? shares : null;
}
