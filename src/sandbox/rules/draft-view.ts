/** A calculated transaction: the amounts and rates that a create would give, without ids, since nothing is kept. */
import type { Plain } from '../store/records.ts';
import { digits } from '../views/json.ts';
import { PROVIDER } from '../views/payout-method.ts';
import { recipientAmounts } from '../views/recipient.ts';
import type { TransactionDraft } from './transaction.ts';

export function draftView(draft: TransactionDraft): Plain {
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
