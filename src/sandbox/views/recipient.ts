import { permissions } from '../machines/recipient.ts';
import type { Plain, RecipientRecord, TransactionRecord } from '../store/records.ts';
import { digits, Plainly, wireTime } from './json.ts';
import { payoutMethodJson } from './payout-method.ts';
import { recipientReason } from './reason.ts';

export function isCash(payoutType: string): boolean {
  return payoutType.endsWith('::Cash');
}

export function permissionsOf({ state, reasonCode, payoutType }: RecipientRecord) {
  return permissions({ state, reasonCode, cash: isCash(payoutType) });
}

/** Amounts of money, in digits: an input and an output amount, the rate between them and the fee, which is none. */
export function recipientAmounts(recipient: Pick<RecipientRecord, (typeof amountMembers)[number]>): Plain {
  return {
    requested_amount: digits(recipient.requestedAmount),
    requested_currency: recipient.requestedCurrency,
    input_amount: digits(recipient.inputAmount),
    input_currency: recipient.inputCurrency,
    input_usd_amount: digits(recipient.inputUsdAmount),
    output_amount: digits(recipient.outputAmount),
    output_currency: recipient.outputCurrency,
    exchange_rate: digits(recipient.rate),
    fee_fractional: 0,
  };
}

const amountMembers = [
  'requestedAmount',
  'requestedCurrency',
  'inputAmount',
  'inputCurrency',
  'inputUsdAmount',
  'outputAmount',
  'outputCurrency',
  'rate',
] as const;

/** Both names of the transaction's own id are given: printed webhooks and the interface differ. */
export function recipientJson(recipient: RecipientRecord, transaction: TransactionRecord): Plain {
  const reason = recipientReason(recipient.reasonCode, recipient.reasonText);
  const may = permissionsOf(recipient);
  return {
    id: recipient.id,
    type: recipient.type,
    transaction_id: recipient.transactionId,
    transaction_external_id: transaction.externalId,
    external_id: transaction.externalId,
    transaction_state: transaction.state,
    state: recipient.state,
    state_reason: reason.text,
    state_reason_details: reason.details,
    editable: may.editable,
    retriable: may.retriable,
    may_cancel: may.mayCancel,
    ...recipientAmounts(recipient),
    mandate_id: recipient.mandateId ?? undefined,
    payout_method: new Plainly(payoutMethodJson(recipient)),
    metadata: new Plainly({ ...recipient.metadata, ...recipient.serviceMetadata }),
    created_at: wireTime(recipient.createdAt),
  };
}
