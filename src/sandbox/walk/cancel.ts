/** A cancel of one recipient (DELETE): at once where it may be, else kept until the partner answers. */
import { payinMethodMoves } from '../../contract/states/payin-method.ts';
import { findMove } from '../../contract/states/state.ts';
import { sub } from '../../core/money.ts';
import type { RecipientRecord, TransactionRecord } from '../store/records.ts';
import { permissionsOf } from '../views/recipient.ts';
import type { World } from '../world.ts';
import { movePayin, moveRecipient, transactionOf } from './moves.ts';
import { scheduleRefund } from './refund.ts';
import { settleTransaction } from './settle.ts';

export type CancelRefusal = 'paid';

/** Null when the request was taken, also when there is nothing left to cancel: asking twice does no harm. */
export function cancelRecipient(world: World, recipient: RecipientRecord): CancelRefusal | null {
  const { state } = recipient;
  if (state === 'success' || state === 'overpaid') return 'paid';
  if (state === 'canceled' || state === 'refunded') return null;
  if (permissionsOf(recipient).mayCancel) cancelNow(world, recipient);
  else if (recipient.cancelWaiting !== 'request') {
    moveRecipient(world, recipient, 'request_cancel', { cancelWaiting: 'request' });
  }
  return null;
}

function cancelNow(world: World, recipient: RecipientRecord): void {
  const transaction = transactionOf(world, recipient);
  const dropped = transaction.fundedAt === null;
  moveRecipient(world, recipient, 'cancel', { turn: recipient.turn + 1, dropped });
  if (dropped) takeOffBill(world, transaction, recipient);
  else scheduleRefund(world, recipient);
  settleTransaction(world, transaction, 'cancel', 'every recipient was cancelled');
  if (transaction.state === 'canceled' && transaction.fundedAt === null) stopPayins(world, transaction);
}

/** Not funded yet: the others are still to be paid for, this one no longer. The last one leaves the bill as it was. */
function takeOffBill(world: World, transaction: TransactionRecord, recipient: RecipientRecord): void {
  const rest = sub(transaction.inputAmount, recipient.inputAmount);
  const others = transaction.recipientIds.some(
    (id) => id !== recipient.id && world.store.recipients.get(id)?.state === 'initial',
  );
  if (others) world.store.transactions.update(transaction, { inputAmount: rest });
}

function stopPayins(world: World, transaction: TransactionRecord): void {
  for (const payin of transaction.payins) {
    if (findMove(payinMethodMoves, payin.state, 'cancel')) movePayin(world, transaction, payin, 'cancel');
  }
}
