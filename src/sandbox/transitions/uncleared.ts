/**
 * Money that was collected and waits for its confirmation: the transaction is `pending`. It belongs to the customer whatever
 * comes: it is confirmed and paid out, or what is cancelled of it is returned by hand.
 * @assumes uncleared-money
 */
import { invariant } from '../../core/invariants.ts';
import { isClearing } from '../machines/transaction.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { PayinRecord, TransactionRecord } from '../store/records.ts';
import { recipientsOf } from '../views/transaction.ts';
import { takeOffBill } from './bill.ts';
import { expire } from './expiry.ts';
import { keepFromPayin } from './funding.ts';
import { moveTransaction } from './moves.ts';

/** True where the service has the customer's money, be it cleared or not. */
export function hasMoney({ state, fundedAt }: TransactionRecord): boolean {
  return fundedAt !== null || isClearing(state);
}

/** True where this payin may still bring the money in: never a second one beside one that did. */
export function takesMoney({ state }: TransactionRecord, payin: PayinRecord): boolean {
  return state === 'approved' || (isClearing(state) && payin.state === 'processing');
}

/** Everything was cancelled before the money cleared: it is held until people return it. */
export function keepUncleared(sandbox: SandboxState, transaction: TransactionRecord): void {
  const payin = transaction.payins.find(({ history }) => history.some(isUncleared));
  invariant(payin, 'money that waits to clear came from a payin');
  keepFromPayin(sandbox, transaction, `payin:${payin.id}`);
}

const isUncleared = ({ rule }: PayinRecord['history'][number]) => rule === 'payin.unconfirmed';

/** The money did not come after all: what was cancelled meanwhile is not to be paid for, and the hour counts again. */
export function awaitAgain(sandbox: SandboxState, transaction: TransactionRecord): void {
  for (const recipient of recipientsOf(sandbox.store, transaction)) {
    if (recipient.state !== 'canceled' || recipient.dropped) continue;
    sandbox.store.recipients.update(recipient, { dropped: true });
    takeOffBill(sandbox, transaction, recipient);
  }
  moveTransaction(sandbox, transaction, 'payin_failed');
  if (sandbox.clock.now() >= transaction.expiresAt) expire(sandbox, transaction);
}
