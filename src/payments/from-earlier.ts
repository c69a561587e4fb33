/**
 * A new transaction like an earlier one (decision 0034): the same sender, recipients, amounts as they were asked for, traits and metadata. Its
 * external id is not taken over: that names the earlier one for ever.
 */

import type { Transaction, TransactionWrite } from '../contract/resources/transaction.ts';
import { hint } from '../core/next.ts';
import { usage } from '../core/problem.ts';
import { type Desk, tell } from './desk.ts';
import { findTransaction } from './lookup/transaction.ts';
import { refuseMasked } from './words/mask.ts';
import { shownSummary } from './words/payment-lines.ts';

export async function likeEarlier(desk: Desk, given: string): Promise<Record<string, unknown>> {
  const { transaction } = await findTransaction(desk, given, 'read');
  const draft = draftLike(transaction);
  tell(
    desk,
    `like ${transaction.external_id ?? transaction.id}: ${shownSummary(draft as unknown as TransactionWrite, desk.mask)}`,
  );
  return draft;
}

function draftLike(transaction: Transaction): Record<string, unknown> {
  const { input_currency, metadata, payin_methods: payins, sender, traits } = transaction;
  if ((payins ?? []).length > 0)
    throw usage(
      `${transaction.id} is a collection: its customer must be asked to pay again`,
      hint`${{ do: 'collect' }}`,
    );
  const kept = Object.fromEntries(
    Object.entries(traits ?? {}).filter(
      ([name, value]) => ['auto_refund', 'account_validation'].includes(name) && typeof value === 'boolean',
    ),
  );
  return {
    input_currency,
    sender: { id: sender?.id },
    recipients: (transaction.recipients ?? []).map(recipientLike),
    ...(Object.keys(kept).length > 0 ? { traits: kept } : {}),
    ...(metadata && Object.keys(metadata).length > 0 ? { metadata } : {}),
  };
}

type Recipient = NonNullable<Transaction['recipients']>[number];

function recipientLike({ type, requested_amount, requested_currency, payout_method, metadata }: Recipient) {
  const details = Object.entries(payout_method?.details ?? {}).filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  );
  for (const [name, value] of details) refuseMasked(name, String(value));
  return {
    ...(type === 'person' || type === 'business' ? { type } : {}),
    requested_amount,
    requested_currency,
    payout_method: { type: payout_method?.type, details: Object.fromEntries(details) },
    ...(metadata && Object.keys(metadata).length > 0 ? { metadata } : {}),
  };
}
