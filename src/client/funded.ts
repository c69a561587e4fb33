import type { Transaction } from '../contract/resources/transaction.ts';
import { fundsOf } from '../contract/states/money.ts';
import { gt, gte, isZero } from '../core/money.ts';

/** True where money has come in for it: by its state, or by the amount paid where the state leaves it open. */
export function isFunded(transaction: Transaction): boolean {
  const { state, input_amount: asked, paid_amount: paid } = transaction;
  const funds = fundsOf(state);
  if (funds === 'yes') return true;
  if (paid == null) return funds === 'perhaps';
  return gt(paid, '0') && (asked == null || gte(paid, asked));
}

export const NEVER_FUNDED = 'it was created, never funded, and is cancelled';

/** True if cancelled without ever having been funded: it never will be. False where the paid amount is absent. */
export function isDead({ state, paid_amount: paid }: Transaction): boolean {
  return state === 'canceled' && paid != null && isZero(paid);
}
