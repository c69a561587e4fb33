/** The records that webhooks are about, each under the name that its events begin with. Source: docs/wire.md 12. */
import { document } from './document.ts';
import { payinMethod, payoutMethod } from './payment-method.ts';
import { sender } from './sender.ts';
import { recipient, transaction } from './transaction.ts';

export const recordsOfEvents = {
  transaction,
  recipient,
  sender,
  payin_method: payinMethod,
  payout_method: payoutMethod,
  document,
} as const;
