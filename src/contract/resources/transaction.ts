/** Transactions and their recipients (docs/wire.md 8 and 9). */

import * as z from 'zod/mini';
import { fitsDecimals } from '../../core/currency.ts';
import { members } from '../personal.ts';
import type { RecipientState } from '../states/recipient.ts';
import type { TransactionState } from '../states/transaction.ts';
import {
  fieldErrors,
  map,
  maybeAmount,
  openWord,
  stateReasonDetails,
  wireFlag,
  wireText,
  writtenAmount,
  writtenMap,
} from './common.ts';
import { payinMethod, payinMethodWrite, payoutMethod, payoutMethodWrite } from './payment-method.ts';
import { sender, senderWrite } from './sender.ts';

export const recipient = z.looseObject(
  members({
    id: wireText,
    type: wireText,
    transaction_id: wireText,
    transaction_external_id: wireText,
    external_id: wireText,
    created_at: wireText,
    state: openWord<RecipientState>(),
    transaction_state: openWord<TransactionState>(),
    state_reason: wireText,
    state_reason_details: stateReasonDetails,
    editable: wireFlag,
    retriable: wireFlag,
    may_cancel: wireFlag,
    requested_amount: maybeAmount,
    requested_currency: wireText,
    input_amount: maybeAmount,
    input_currency: wireText,
    input_usd_amount: maybeAmount,
    output_amount: maybeAmount,
    output_currency: wireText,
    exchange_rate: maybeAmount,
    fee_fractional: maybeAmount,
    mandate_id: wireText,
    payout_method: z.nullish(payoutMethod),
    metadata: map,
    errors: fieldErrors,
  }),
);
export type Recipient = z.output<typeof recipient>;

export const transaction = z.looseObject(
  members({
    id: wireText,
    external_id: wireText,
    state: openWord<TransactionState>(),
    state_reason: wireText,
    input_currency: wireText,
    input_amount: maybeAmount,
    paid_amount: maybeAmount,
    due_amount: maybeAmount,
    payin_reference: wireText,
    sender: z.nullish(sender),
    recipients: z.nullish(z.array(recipient)),
    payin_methods: z.nullish(z.array(payinMethod)),
    traits: map,
    metadata: map,
    created_at: wireText,
    updated_at: wireText,
    expires_at: wireText,
    errors: fieldErrors,
  }),
);
export type Transaction = z.output<typeof transaction>;

export const transactionAnswer = z.looseObject({
  object: transaction,
  meta: z.nullish(
    z.looseObject({
      existing: z.nullish(z.looseObject({ transaction: z.nullish(transaction), sender: z.nullish(sender) })),
    }),
  ),
});

export const recipientWrite = z
  .strictObject({
    type: z.optional(z.enum(['person', 'business'])),
    requested_amount: writtenAmount,
    requested_currency: z.string(),
    payout_method: payoutMethodWrite,
    metadata: z.optional(writtenMap),
  })
  .check(
    z.refine(({ requested_amount: amount, requested_currency: currency }) => fitsDecimals(amount, currency), {
      path: ['requested_amount'],
      error: 'has more decimals than its currency',
    }),
  );
export type RecipientWrite = z.output<typeof recipientWrite>;

export const transactionWrite = z.strictObject({
  input_currency: z.string(),
  sender: senderWrite,
  recipients: z.array(recipientWrite).check(z.minLength(1)),
  payin_methods: z.optional(z.array(payinMethodWrite)),
  traits: z.optional(
    z.strictObject({ account_validation: z.optional(z.boolean()), auto_refund: z.optional(z.boolean()) }),
  ),
  metadata: z.optional(writtenMap),
  external_id: z.optional(z.string()),
});
export type TransactionWrite = z.output<typeof transactionWrite>;
export const transactionRequest = z.strictObject({ transaction: transactionWrite });

/** Asks which payin flows are open, and for nothing else (docs/wire.md 8). */
export const flowDiscovery = z.strictObject({
  payin_methods: z.array(payinMethodWrite).check(z.minLength(1)),
  input_currency: z.optional(z.string()),
  external_id: z.optional(z.string()),
});
export type FlowDiscovery = z.output<typeof flowDiscovery>;
export const validateRequest = z.strictObject({ transaction: z.union([transactionWrite, flowDiscovery]) });

/** A deep partial update: only what changes is sent. */
export const recipientEdit = z.strictObject({
  payout_method: z.optional(payoutMethodWrite),
  metadata: z.optional(writtenMap),
});
export type RecipientEdit = z.output<typeof recipientEdit>;
export const recipientEditRequest = z.strictObject({ recipient: recipientEdit });
