/**
 * A cancel of one recipient (DELETE): at once where it may be, else kept until the partner answers.
 * @assumes cancel-kept
 */
import { isCalledOff, isPaidOut } from '../../contract/states/money.ts';
import { payinMethodMoves } from '../../contract/states/payin-method.ts';
import { isUnderWay } from '../../contract/states/recipient.ts';
import { recipientMoves } from '../../contract/states/recipient-moves.ts';
import { findMove } from '../../contract/states/state.ts';
import { invariant } from '../../core/invariants.ts';
import { isClearing } from '../machines/transaction.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { PayinRecord, RecipientRecord, TransactionRecord } from '../store/records.ts';
import { permissionsOf } from '../views/recipient.ts';
import { takeOffBill } from './bill.ts';
import { payinById } from './collection.ts';
import { followTransaction } from './follow.ts';
import { movePayin, moveRecipient, transactionOf } from './moves.ts';
import { payoutFault, succeed } from './payout.ts';
import { scheduleRefund } from './refund.ts';
import { hasMoney, keepUncleared } from './uncleared.ts';

export type CancelRefusal = 'paid';

/**
 * Null when the request was taken, also when there is nothing left to cancel: asking twice does no harm.
 * @assumes cancel-paid
 */
export function applyCancel(sandbox: SandboxState, recipient: RecipientRecord): CancelRefusal | null {
  const { state } = recipient;
  if (isPaidOut(state)) return 'paid';
  if (isCalledOff(state)) return null;
  if (
    findMove(recipientMoves, state, 'payout_paid') &&
    payoutFault(sandbox, 'paid-while-cancelling', recipient)
  ) {
    return payMeanwhile(sandbox, recipient);
  }
  if (permissionsOf(recipient).mayCancel) cancelNow(sandbox, recipient);
  else if (recipient.cancelWaiting !== 'request') {
    moveRecipient(sandbox, recipient, 'request_cancel', { cancelWaiting: 'request' });
  }
  return null;
}

/** The provider pays while it is asked to cancel: a request that is kept is answered so, any other comes too late. */
function payMeanwhile(sandbox: SandboxState, recipient: RecipientRecord): CancelRefusal | null {
  if (isUnderWay(recipient.state) && !permissionsOf(recipient).mayCancel) {
    const turn = recipient.turn + 1;
    moveRecipient(sandbox, recipient, 'request_cancel', { cancelWaiting: 'request', turn });
    const task = { kind: 'payout_answer', recipientId: recipient.id, turn, code: '0' } as const;
    sandbox.schedule.add(sandbox.clock.now(), task);
    return null;
  }
  succeed(sandbox, recipient, 'payout_paid', 'fault paid-while-cancelling');
  followTransaction(sandbox, transactionOf(sandbox, recipient));
  return 'paid';
}

/** A collection that is called off: every recipient that can be cancelled is, and the payin with them. */
export function cancelCollection(
  sandbox: SandboxState,
  transaction: TransactionRecord,
  payin: PayinRecord,
): void {
  for (const id of transaction.recipientIds) {
    const recipient = sandbox.store.recipients.get(id);
    if (recipient && permissionsOf(recipient).mayCancel) cancelNow(sandbox, recipient);
  }
  if (isCalledOff(payinById(transaction, payin.id).state)) return;
  movePayin(sandbox, transaction, payinById(transaction, payin.id), 'cancel', { reasonCode: null });
}

function cancelNow(sandbox: SandboxState, recipient: RecipientRecord): void {
  const transaction = transactionOf(sandbox, recipient);
  const dropped = !hasMoney(transaction);
  invariant(!isPaidOut(recipient.state), `recipient ${recipient.id} was not paid when it is cancelled`);
  moveRecipient(sandbox, recipient, 'cancel', { turn: recipient.turn + 1, dropped });
  if (dropped) takeOffBill(sandbox, transaction, recipient);
  else scheduleRefund(sandbox, recipient);
  if (isEverybodyCancelled(sandbox, transaction)) {
    if (isClearing(transaction.state)) keepUncleared(sandbox, transaction);
    stopPayins(sandbox, transaction);
  }
  followTransaction(sandbox, transaction, 'cancel', 'every recipient was cancelled');
}

/** True if no recipient was paid or will be. */
function isEverybodyCancelled({ store }: SandboxState, { recipientIds }: TransactionRecord): boolean {
  return recipientIds.every((id) => store.recipients.get(id)?.state === 'canceled');
}

function stopPayins(sandbox: SandboxState, transaction: TransactionRecord): void {
  for (const payin of transaction.payins) {
    if (findMove(payinMethodMoves, payin.state, 'cancel'))
      movePayin(sandbox, transaction, payin, 'cancel', { reasonCode: null });
  }
}
