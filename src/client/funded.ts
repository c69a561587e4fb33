import type { Transaction } from '../contract/resources/transaction.ts';
import { gt, gte, isZero } from '../core/money.ts';

const FUNDED = new Set(['received', 'mispaid', 'manual', 'paid', 'refunded']);
/** Also the states of a collection under way: only the amount says whether the money is there. */
const PERHAPS_FUNDED = new Set(['pending', 'processing', 'exception']);

/** Whether money has come in for it: by its state, or by what was paid where the state leaves it open. */
export function isFunded(transaction: Transaction): boolean {
  const { state, input_amount: asked, paid_amount: paid } = transaction;
  if (FUNDED.has(state ?? '')) return true;
  if (paid == null) return PERHAPS_FUNDED.has(state ?? '');
  return gt(paid, '0') && (asked == null || gte(paid, asked));
}

/** Cancelled without ever having been funded: it never will be. Where nothing says what was paid, nobody can tell. */
export function isDead({ state, paid_amount: paid }: Transaction): boolean {
  return state === 'canceled' && paid != null && isZero(paid);
}
