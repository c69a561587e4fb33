/** Applies a step of a state table to a record: the state, the change with its rule, and the events that the row names. */
import { eventInfo } from '../../contract/events.ts';
import { type PayinMethodTrigger, payinMethodMoves } from '../../contract/states/payin-method.ts';
import { type RecipientTrigger, recipientMoves } from '../../contract/states/recipient.ts';
import { type SenderTrigger, senderMoves } from '../../contract/states/sender.ts';
import { type TransactionTrigger, transactionMoves } from '../../contract/states/transaction.ts';
import { step } from '../machines/step.ts';
import type {
  Change,
  PayinRecord,
  RecipientRecord,
  SenderRecord,
  TransactionRecord,
} from '../store/records.ts';
import { recipientView } from '../views/recipient.ts';
import { senderView } from '../views/sender.ts';
import { payinView, transactionView } from '../views/transaction.ts';
import type { World } from '../world.ts';

/** The same rule again and again, such as edits of one sender, is one entry with the time of the last. */
function noted(history: Change[], change: Change): Change[] {
  const last = history.at(-1);
  if (last?.rule === change.rule && last.to === change.to) last.at = change.at;
  else history.push(change);
  return history;
}

export function announceTransaction(
  world: World,
  transaction: TransactionRecord,
  events: readonly Parameters<World['emit']>[0][],
): void {
  const collection = transaction.payins.length > 0;
  for (const event of events) {
    if (eventInfo(event).collectionsOnly && !collection) continue;
    world.emit(event, {
      type: 'Transaction',
      id: transaction.id,
      render: () => transactionView(world.store, transaction),
    });
  }
}

export function announceSender(
  world: World,
  sender: SenderRecord,
  events: readonly Parameters<World['emit']>[0][],
): void {
  for (const event of events) {
    world.emit(event, { type: 'Sender', id: sender.id, render: () => senderView(sender) });
  }
}

export function moveTransaction(
  world: World,
  transaction: TransactionRecord,
  on: TransactionTrigger,
  patch: Partial<TransactionRecord> = {},
): void {
  const at = world.clock.now();
  const { to, change, events } = step(transactionMoves, transaction.state, on, at);
  world.store.transactions.update(transaction, {
    ...patch,
    state: to,
    updatedAt: at,
    history: noted(transaction.history, change),
  });
  announceTransaction(world, transaction, events);
}

export function moveRecipient(
  world: World,
  recipient: RecipientRecord,
  on: RecipientTrigger,
  patch: Partial<RecipientRecord> = {},
): void {
  const { to, change, events } = step(recipientMoves, recipient.state, on, world.clock.now());
  world.store.recipients.update(recipient, {
    ...patch,
    state: to,
    history: noted(recipient.history, change),
  });
  for (const event of events) {
    world.emit(event, {
      type: 'Recipient',
      id: recipient.id,
      render: () => recipientView(recipient, transactionOf(world, recipient)),
    });
  }
}

export function moveSender(
  world: World,
  sender: SenderRecord,
  on: SenderTrigger,
  patch: Partial<SenderRecord> = {},
): void {
  const { to, change, events } = step(senderMoves, sender.state, on, world.clock.now());
  world.store.senders.update(sender, { ...patch, state: to, history: noted(sender.history, change) });
  announceSender(world, sender, events);
}

export function movePayin(
  world: World,
  transaction: TransactionRecord,
  payin: PayinRecord,
  on: PayinMethodTrigger,
  reasonCode: string | null = payin.reasonCode,
): void {
  const { to, change, events } = step(payinMethodMoves, payin.state, on, world.clock.now());
  const moved = { ...payin, state: to, reasonCode, history: [...payin.history, change] };
  const payins = transaction.payins.map((each) => (each.id === payin.id ? moved : each));
  world.store.transactions.update(transaction, { payins, updatedAt: world.clock.now() });
  for (const event of events) {
    world.emit(event, { type: 'PayinMethod', id: payin.id, render: () => payinView(moved, transaction) });
  }
}

export function transactionOf(world: World, recipient: RecipientRecord): TransactionRecord {
  const found = world.store.transactions.get(recipient.transactionId);
  if (!found) throw new Error(`transaction ${recipient.transactionId} is kept`);
  return found;
}
