/** Runs one task that is due. A task whose subject moved on meanwhile does nothing. */
import { isUnderWay, isWithService } from '../../contract/states/recipient.ts';
import { unreachable } from '../../core/invariants.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { RecipientRecord, TaskBody } from '../store/records.ts';
import { retryLater, startPayins } from './collection.ts';
import { expire } from './expiry.ts';
import { endReview } from './funding.ts';
import { answer, comeRound, giveUpWaiting, tryPayout } from './payout.ts';
import { autoRefund, refund } from './refund.ts';
import { checkSenderStanding } from './sender-check.ts';

export type Deliver = (deliveryId: string) => void;

export function runTask(sandbox: SandboxState, task: TaskBody, deliver: Deliver): void {
  switch (task.kind) {
    case 'expire':
    case 'auto_refund':
    case 'payin_start':
    case 'review_end':
      runTransactionTask(sandbox, task.kind, task.transactionId);
      break;
    case 'payin_retry': {
      const transaction = sandbox.store.transactions.get(task.transactionId);
      if (transaction) retryLater(sandbox, transaction, task);
      break;
    }
    case 'payout_try':
      withTurn(sandbox, task, (recipient) => {
        if (isWithService(recipient.state)) tryPayout(sandbox, recipient);
      });
      break;
    case 'payout_answer':
      withTurn(sandbox, task, (recipient) => {
        if (isUnderWay(recipient.state)) answer(sandbox, recipient, task.code);
      });
      break;
    case 'payout_round':
      withTurn(sandbox, task, (recipient) => {
        if (isUnderWay(recipient.state)) comeRound(sandbox, recipient);
      });
      break;
    case 'payout_unanswered':
      withTurn(sandbox, task, (recipient) => {
        if (isUnderWay(recipient.state)) giveUpWaiting(sandbox, recipient);
      });
      break;
    case 'sender_check':
      checkSenderStanding(sandbox, task.senderId, task.step);
      break;
    case 'refund':
      withRecipient(sandbox, task.recipientId, (recipient) => refund(sandbox, recipient));
      break;
    case 'deliver':
      deliver(task.deliveryId);
      break;
    default:
      unreachable(task);
  }
}

function runTransactionTask(
  sandbox: SandboxState,
  kind: 'expire' | 'auto_refund' | 'payin_start' | 'review_end',
  transactionId: string,
): void {
  const transaction = sandbox.store.transactions.get(transactionId);
  if (!transaction) return;
  if (kind === 'expire') expire(sandbox, transaction);
  else if (kind === 'auto_refund') autoRefund(sandbox, transaction);
  else if (kind === 'review_end') endReview(sandbox, transaction);
  else startPayins(sandbox, transaction);
}

function withTurn(
  sandbox: SandboxState,
  { recipientId, turn }: { recipientId: string; turn: number },
  run: (recipient: RecipientRecord) => void,
): void {
  withRecipient(sandbox, recipientId, (recipient) => {
    if (recipient.turn === turn) run(recipient);
  });
}

function withRecipient(sandbox: SandboxState, id: string, run: (recipient: RecipientRecord) => void): void {
  const recipient = sandbox.store.recipients.get(id);
  if (recipient) run(recipient);
}
