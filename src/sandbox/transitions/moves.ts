/** Applies a step of a state table to a record: the state, the change with its rule, and the events that the row names. */

import { codeInfo } from '../../contract/codes.ts';
import { eventInfo } from '../../contract/events.ts';
import { type PayinMethodTrigger, payinMethodMoves } from '../../contract/states/payin-method.ts';
import { type RecipientTrigger, recipientMoves } from '../../contract/states/recipient-moves.ts';
import { type SenderTrigger, senderMoves } from '../../contract/states/sender.ts';
import { type TransactionTrigger, transactionMoves } from '../../contract/states/transaction-moves.ts';
import { invariant } from '../../core/invariants.ts';
import { type Step, step } from '../machines/step.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type {
  PayinRecord,
  RecipientRecord,
  SenderRecord,
  StateChange,
  TransactionRecord,
} from '../store/records.ts';
import { payinJson } from '../views/payin.ts';
import { recipientJson } from '../views/recipient.ts';
import { senderJson } from '../views/sender.ts';
import { transactionJson } from '../views/transaction.ts';

/** The same rule again and again, such as edits of one sender, is one entry with the time of the last. */
function noted(history: StateChange[], change: StateChange): StateChange[] {
  const last = history.at(-1);
  /* `concat` makes a list with just the room it needs; spread and `push` leave seventeen places free in every record. */
  if (last?.rule !== change.rule || last.to !== change.to) return history.concat(change);
  Object.assign(last, change, { times: (last.times ?? 1) + 1 });
  return history;
}

/** The change that a step is, in the order of all changes of the sandbox. */
export function changeBy(
  sandbox: SandboxState,
  { to, rule, basis }: Step<string>,
  note?: string,
): StateChange {
  sandbox.changes.count += 1;
  const at = sandbox.clock.now();
  const order = sandbox.changes.count;
  return note === undefined ? { at, to, rule, basis, order } : { at, to, rule, basis, order, note };
}

/** @assumes balance-events */
export function announceTransaction(
  sandbox: SandboxState,
  transaction: TransactionRecord,
  events: readonly Parameters<SandboxState['emit']>[0][],
): void {
  const collection = transaction.payins.length > 0;
  for (const event of events) {
    if (eventInfo(event).collectionsOnly && !collection) continue;
    sandbox.emit(event, {
      type: 'Transaction',
      id: transaction.id,
      render: () => transactionJson(sandbox, transaction),
    });
  }
}

export function announceSender(
  sandbox: SandboxState,
  sender: SenderRecord,
  events: readonly Parameters<SandboxState['emit']>[0][],
): void {
  for (const event of events) {
    sandbox.emit(event, { type: 'Sender', id: sender.id, render: () => senderJson(sandbox, sender) });
  }
}

export function moveTransaction(
  sandbox: SandboxState,
  transaction: TransactionRecord,
  on: TransactionTrigger,
  patch: Partial<TransactionRecord> = {},
  note?: string,
): void {
  const taken = step(transactionMoves, transaction.state, on);
  const change = changeBy(sandbox, taken, note);
  const history = noted(transaction.history, change);
  /* Two updates: one object of both would be another shape for every caller, which is slow to make. */
  sandbox.store.transactions.update(transaction, patch);
  sandbox.store.transactions.update(transaction, { state: taken.to, updatedAt: change.at, history });
  announceTransaction(sandbox, transaction, taken.events);
}

export function moveRecipient(
  sandbox: SandboxState,
  recipient: RecipientRecord,
  on: RecipientTrigger,
  patch: Partial<RecipientRecord> = {},
  note?: string,
): void {
  const taken = step(recipientMoves, recipient.state, on);
  const change = changeBy(sandbox, taken, note ?? codeNote(patch.reasonCode));
  const history = noted(recipient.history, change);
  sandbox.store.recipients.update(recipient, patch);
  sandbox.store.recipients.update(recipient, { state: taken.to, history });
  for (const event of taken.events) {
    sandbox.emit(event, {
      type: 'Recipient',
      id: recipient.id,
      render: () => recipientJson(recipient, transactionOf(sandbox, recipient)),
    });
  }
}

export function moveSender(
  sandbox: SandboxState,
  sender: SenderRecord,
  on: SenderTrigger,
  patch: Partial<SenderRecord> = {},
): void {
  const taken = step(senderMoves, sender.state, on);
  const history = noted(sender.history, changeBy(sandbox, taken));
  sandbox.store.senders.update(sender, { ...patch, state: taken.to, history });
  announceSender(sandbox, sender, taken.events);
}

export function movePayin(
  sandbox: SandboxState,
  transaction: TransactionRecord,
  payin: PayinRecord,
  on: PayinMethodTrigger,
  patch: Partial<Pick<PayinRecord, 'reasonCode' | 'inDetails' | 'outDetails'>> = {},
): void {
  const taken = step(payinMethodMoves, payin.state, on);
  const change = changeBy(sandbox, taken, codeNote(patch.reasonCode));
  const moved = { ...payin, ...patch, state: taken.to, history: [...payin.history, change] };
  changePayin(sandbox, transaction, moved);
  announcePayin(sandbox, transaction, moved, taken.events);
}

/** Puts the changed payin in the place of the one with its id. */
export function changePayin(
  sandbox: SandboxState,
  transaction: TransactionRecord,
  changed: PayinRecord,
): void {
  const payins = transaction.payins.map((each) => (each.id === changed.id ? changed : each));
  sandbox.store.transactions.update(transaction, { payins, updatedAt: sandbox.clock.now() });
}

export function announcePayin(
  sandbox: SandboxState,
  transaction: TransactionRecord,
  payin: PayinRecord,
  events: readonly Parameters<SandboxState['emit']>[0][],
): void {
  for (const event of events) {
    sandbox.emit(event, { type: 'PayinMethod', id: payin.id, render: () => payinJson(payin, transaction) });
  }
}

/** The provider's code goes with the change that it made. */
function codeNote(code: string | null | undefined): string | undefined {
  const info = code ? codeInfo(code) : undefined;
  return info && `${info.code}: ${info.description}`;
}

export function transactionOf(sandbox: SandboxState, recipient: RecipientRecord): TransactionRecord {
  const found = sandbox.store.transactions.get(recipient.transactionId);
  invariant(found, `transaction ${recipient.transactionId} is kept`);
  return found;
}
