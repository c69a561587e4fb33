import { invariant } from '../../core/invariants.ts';
import { sub } from '../../core/money.ts';
import type { TransactionDraft } from '../rules/transaction.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { SandboxStore } from '../store/port.ts';
import type { Plain, RecipientRecord, SenderRecord, TransactionRecord } from '../store/records.ts';
import { digits, Plainly, wireTime } from './json.ts';
import { payinJson } from './payin.ts';
import { PROVIDER } from './payout-method.ts';
import { recipientAmounts, recipientJson } from './recipient.ts';
import { senderJson } from './sender.ts';

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

export function transactionJson(sandbox: SandboxState, transaction: TransactionRecord): Plain {
  const { store } = sandbox;
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
    sender: new Plainly(senderJson(sandbox, senderOf(store, transaction))),
    recipients: recipientsOf(store, transaction).map((each) => recipientJson(each, transaction)),
    payin_methods: transaction.payins.map((payin) => payinJson(payin, transaction)),
    traits: transaction.traits,
    metadata: new Plainly(transaction.metadata),
    created_at: wireTime(transaction.createdAt),
    updated_at: wireTime(transaction.updatedAt),
    expires_at: wireTime(transaction.expiresAt),
  };
}

/**
 * A calculated transaction: the amounts and rates that a create would give, without ids, since nothing is
 * kept.
 */
export function draftJson(draft: TransactionDraft): Plain {
  const { sender, recipients, payins } = draft;
  return {
    external_id: draft.externalId,
    input_currency: draft.inputCurrency,
    input_amount: digits(draft.inputAmount),
    paid_amount: 0,
    due_amount: digits(draft.inputAmount),
    sender: {
      ...(sender.existing ? { id: sender.existing.id, state: sender.existing.state } : {}),
      type: sender.kind,
      external_id: sender.externalId,
      ...sender.fields,
    },
    recipients: recipients.map(({ kind, payout, metadata, ...amounts }) => ({
      type: kind,
      ...recipientAmounts({ ...amounts, outputCurrency: payout.currency }),
      payout_method: {
        type: payout.type,
        details: payout.details,
        metadata: payout.metadata,
        provider: PROVIDER,
      },
      metadata,
    })),
    payin_methods: payins.map(({ type, uxFlow, inDetails }) => ({
      type,
      ux_flow: uxFlow,
      in_details: inDetails,
    })),
    traits: draft.traits,
    metadata: draft.metadata,
  };
}
