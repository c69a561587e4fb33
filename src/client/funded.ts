import type { Transaction } from '../contract/resources/transaction.ts';
import { gt, gte } from '../core/money.ts';

const FUNDED = new Set([
  'pending',
  'processing',
  'received',
  'mispaid',
  'manual',
  'paid',
  'refunded',
  'exception',
]);

/** Whether money has come in for it: by its state, or by what was paid where it was cancelled since. */
export function isFunded(transaction: Transaction): boolean {
  if (FUNDED.has(transaction.state ?? '')) return true;
  const paid = transaction.paid_amount ?? '0';
  return gt(paid, '0') && (transaction.input_amount == null || gte(paid, transaction.input_amount));
}

/** Cancelled without ever having been funded: it never will be. */
export function isDead(transaction: Transaction): boolean {
  return transaction.state === 'canceled' && !isFunded(transaction);
}
