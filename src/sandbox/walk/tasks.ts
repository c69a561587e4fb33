/** Runs one task that is due. A task whose subject moved on meanwhile does nothing. */
import { isUnderWay, isWithService } from '../../contract/states/recipient.ts';
import { unreachable } from '../../core/invariants.ts';
import type { RecipientRecord, TaskBody } from '../store/records.ts';
import type { SandboxState } from '../world.ts';
import { retryLater, startPayins } from './collection.ts';
import { expire } from './expiry.ts';
import { endReview } from './funding.ts';
import { answer, comeRound, giveUpWaiting, tryPayout } from './payout.ts';
import { autoRefund, refund } from './refund.ts';
import { checkSenderStanding } from './sender-check.ts';

export type Deliver = (deliveryId: string) => void;

export function runTask(world: SandboxState, task: TaskBody, deliver: Deliver): void {
  switch (task.kind) {
    case 'expire':
    case 'auto_refund':
    case 'payin_start':
    case 'review_end':
      runTransactionTask(world, task.kind, task.transactionId);
      break;
    case 'payin_retry': {
      const transaction = world.store.transactions.get(task.transactionId);
      if (transaction) retryLater(world, transaction, task);
      break;
    }
    case 'payout_try':
      withTurn(world, task, (recipient) => {
        if (isWithService(recipient.state)) tryPayout(world, recipient);
      });
      break;
    case 'payout_answer':
      withTurn(world, task, (recipient) => {
        if (isUnderWay(recipient.state)) answer(world, recipient, task.code);
      });
      break;
    case 'payout_round':
      withTurn(world, task, (recipient) => {
        if (isUnderWay(recipient.state)) comeRound(world, recipient);
      });
      break;
    case 'payout_unanswered':
      withTurn(world, task, (recipient) => {
        if (isUnderWay(recipient.state)) giveUpWaiting(world, recipient);
      });
      break;
    case 'sender_check':
      checkSenderStanding(world, task.senderId, task.step);
      break;
    case 'refund':
      withRecipient(world, task.recipientId, (recipient) => refund(world, recipient));
      break;
    case 'deliver':
      deliver(task.deliveryId);
      break;
    default:
      unreachable(task);
  }
}

function runTransactionTask(
  world: SandboxState,
  kind: 'expire' | 'auto_refund' | 'payin_start' | 'review_end',
  transactionId: string,
): void {
  const transaction = world.store.transactions.get(transactionId);
  if (!transaction) return;
  if (kind === 'expire') expire(world, transaction);
  else if (kind === 'auto_refund') autoRefund(world, transaction);
  else if (kind === 'review_end') endReview(world, transaction);
  else startPayins(world, transaction);
}

function withTurn(
  world: SandboxState,
  { recipientId, turn }: { recipientId: string; turn: number },
  run: (recipient: RecipientRecord) => void,
): void {
  withRecipient(world, recipientId, (recipient) => {
    if (recipient.turn === turn) run(recipient);
  });
}

function withRecipient(world: SandboxState, id: string, run: (recipient: RecipientRecord) => void): void {
  const recipient = world.store.recipients.get(id);
  if (recipient) run(recipient);
}
