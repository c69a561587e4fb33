import { invariant } from '../../core/invariants.ts';
import { sub } from '../../core/money.ts';
import type { SandboxStore } from '../store/port.ts';
import type { Plain, RecipientRecord, SenderRecord, TransactionRecord } from '../store/records.ts';
import type { SandboxWorld } from '../world.ts';
import { digits, Plainly } from './json.ts';
import { payinView } from './payin.ts';
import { recipientView } from './recipient.ts';
import { senderView } from './sender.ts';
import { wireTime } from './times.ts';

export function recipientsOf(store: SandboxStore, transaction: TransactionRecord): RecipientRecord[] {
  return transaction.recipientIds.map((id) => {
    const found = store.recipients.get(id);
    invariant(found, `recipient ${id} is kept`);
    return found;
  });
}

function senderOf(store: SandboxStore, transaction: TransactionRecord): SenderRecord {
  const found = store.senders.get(transaction.senderId);
  invariant(found, `sender ${transaction.senderId} is kept`);
  return found;
}

export function transactionView(world: SandboxWorld, transaction: TransactionRecord): Plain {
  const { store } = world;
  return {
    id: transaction.id,
    external_id: transaction.externalId,
    state: transaction.state,
    state_reason: transaction.stateReason,
    input_currency: transaction.inputCurrency,
    input_amount: digits(transaction.inputAmount),
    paid_amount: digits(transaction.paidAmount),
    due_amount: digits(sub(transaction.inputAmount, transaction.paidAmount)),
    payin_reference: transaction.payinReference,
    sender: new Plainly(senderView(world, senderOf(store, transaction))),
    recipients: recipientsOf(store, transaction).map((each) => recipientView(each, transaction)),
    payin_methods: transaction.payins.map((payin) => payinView(payin, transaction)),
    traits: transaction.traits,
    metadata: new Plainly(transaction.metadata),
    created_at: wireTime(transaction.createdAt),
    updated_at: wireTime(transaction.updatedAt),
    expires_at: wireTime(transaction.expiresAt),
  };
}
