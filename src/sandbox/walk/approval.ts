/** An approved sender: transactions that waited for it can be funded now, and their collections start. */
import type { SenderRecord } from '../store/records.ts';
import type { SandboxWorld } from '../world.ts';
import { schedulePayins } from './collection.ts';
import { moveSender, moveTransaction } from './moves.ts';

export function approveSender(
  world: SandboxWorld,
  sender: SenderRecord,
  on: 'approve' | 'unban' = 'approve',
): void {
  moveSender(world, sender, on, { stateReason: null });
  for (const transaction of world.store.transactions.waitingFor(sender.id)) {
    moveTransaction(world, transaction, 'sender_approved');
    schedulePayins(world, transaction);
  }
}
