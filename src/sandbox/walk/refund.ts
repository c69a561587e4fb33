/** The money of a cancelled recipient goes back: to the balance at once; money of a payin is returned by people. */
import { move } from '../ledger/ledger.ts';
import type { RecipientRecord } from '../store/records.ts';
import type { World } from '../world.ts';
import { moveRecipient, transactionOf } from './moves.ts';
import { settleTransaction } from './settle.ts';

/** Due at once, after the answer to the cancel: a cancel is asynchronous. */
export function scheduleRefund(world: World, recipient: RecipientRecord): void {
  world.schedule.add(world.clock.now(), { kind: 'refund', recipientId: recipient.id });
}

export function refund(world: World, recipient: RecipientRecord): void {
  const transaction = transactionOf(world, recipient);
  if (recipient.state !== 'canceled' || transaction.fundedBy !== 'balance') return;
  const { id, inputCurrency, inputAmount } = recipient;
  if (!world.broken.has('refund_posts_nothing')) {
    world.ledger.post(`refund:${id}`, world.clock.now(), move('held', 'wallet', inputCurrency, inputAmount));
  }
  moveRecipient(world, recipient, 'refund');
  settleTransaction(world, transaction);
}
