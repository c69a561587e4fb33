/** Applies a step of a state table to a record: the state, the change with its rule, and the events that the row names. */
import { codeInfo } from '../../contract/codes.ts';
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
import { payinView } from '../views/payin.ts';
import { recipientView } from '../views/recipient.ts';
import { senderView } from '../views/sender.ts';
import { transactionView } from '../views/transaction.ts';
import type { World } from '../world.ts';

/** The same rule again and again, such as edits of one sender, is one entry with the time of the last. */
function noted(world: World, history: Change[], made: Omit<Change, 'order'>): Change[] {
  const change = inOrder(world, made);
  const last = history.at(-1);
  if (last?.rule !== change.rule || last.to !== change.to) history.push(change);
  else Object.assign(last, change, { times: (last.times ?? 1) + 1 });
  return history;
}

export function inOrder({ changes }: World, change: Omit<Change, 'order'>): Change {
  changes.count += 1;
  const { at, to, rule, basis, note } = change;
  const order = changes.count;
  return note === undefined ? { at, to, rule, basis, order } : { at, to, rule, basis, order, note };
}

/** @assumes balance-events */
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
      render: () => transactionView(world, transaction),
    });
  }
}

export function announceSender(
  world: World,
  sender: SenderRecord,
  events: readonly Parameters<World['emit']>[0][],
): void {
  for (const event of events) {
    world.emit(event, { type: 'Sender', id: sender.id, render: () => senderView(world, sender) });
  }
}

export function moveTransaction(
  world: World,
  transaction: TransactionRecord,
  on: TransactionTrigger,
  patch: Partial<TransactionRecord> = {},
  note?: string,
): void {
  const at = world.clock.now();
  const { to, change, events } = step(transactionMoves, transaction.state, on, at);
  const history = noted(world, transaction.history, note === undefined ? change : { ...change, note });
  /* Two updates: one object of both would be another shape for every caller, which is slow to make. */
  world.store.transactions.update(transaction, patch);
  world.store.transactions.update(transaction, { state: to, updatedAt: at, history });
  announceTransaction(world, transaction, events);
}

export function moveRecipient(
  world: World,
  recipient: RecipientRecord,
  on: RecipientTrigger,
  patch: Partial<RecipientRecord> = {},
  note?: string,
): void {
  const { to, change, events } = step(recipientMoves, recipient.state, on, world.clock.now());
  const why = note === undefined ? codeNote(patch.reasonCode) : { note };
  const history = noted(world, recipient.history, { ...change, ...why });
  world.store.recipients.update(recipient, patch);
  world.store.recipients.update(recipient, { state: to, history });
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
  world.store.senders.update(sender, { ...patch, state: to, history: noted(world, sender.history, change) });
  announceSender(world, sender, events);
}

export function movePayin(
  world: World,
  transaction: TransactionRecord,
  payin: PayinRecord,
  on: PayinMethodTrigger,
  patch: Partial<Pick<PayinRecord, 'reasonCode' | 'inDetails' | 'outDetails'>> = {},
): void {
  const { to, change, events } = step(payinMethodMoves, payin.state, on, world.clock.now());
  const note = codeNote(patch.reasonCode);
  const moved = {
    ...payin,
    ...patch,
    state: to,
    history: [...payin.history, inOrder(world, { ...change, ...note })],
  };
  changePayin(world, transaction, moved);
  announcePayin(world, transaction, moved, events);
}

/** Puts the changed payin in the place of the one with its id. */
export function changePayin(world: World, transaction: TransactionRecord, changed: PayinRecord): void {
  const payins = transaction.payins.map((each) => (each.id === changed.id ? changed : each));
  world.store.transactions.update(transaction, { payins, updatedAt: world.clock.now() });
}

export function announcePayin(
  world: World,
  transaction: TransactionRecord,
  payin: PayinRecord,
  events: readonly Parameters<World['emit']>[0][],
): void {
  for (const event of events) {
    world.emit(event, { type: 'PayinMethod', id: payin.id, render: () => payinView(payin, transaction) });
  }
}

/** The provider's code goes with the change that it made. */
function codeNote(code: string | null | undefined): { note?: string } {
  const info = code ? codeInfo(code) : undefined;
  return info ? { note: `${info.code}: ${info.description}` } : {};
}

export function transactionOf(world: World, recipient: RecipientRecord): TransactionRecord {
  const found = world.store.transactions.get(recipient.transactionId);
  if (!found) throw new Error(`transaction ${recipient.transactionId} is kept`);
  return found;
}
