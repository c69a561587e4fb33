/** Where the money of every recipient is, by the ledger: for tests that judge a program by what it paid, not by what it was told. */
import { recipientStates } from '../contract/states/recipient.ts';
import type { SandboxState } from './sandbox-state.ts';
import type { Plain } from './store/records.ts';

export interface LedgerPayout {
  recipientId: string;
  transactionId: string;
  externalId: string | null;
  type: string;
  details: Plain;
  /** The amount that was asked for, a decimal, and its currency. */
  amount: string;
  currency: string;
  sender: { id: string; externalId: string | null; fields: Plain };
  /** `gone`: left the balance or was collected, and is not back. `back`: cancelled, funded or not. `unfunded`: not paid for, even past its hour. */
  money: 'gone' | 'back' | 'unfunded';
}

export function* payoutsOf({ store, ledger }: SandboxState): Generator<LedgerPayout> {
  for (const recipient of store.recipients.all()) {
    const transaction = store.transactions.get(recipient.transactionId);
    const sender = store.senders.get(recipient.senderId);
    if (transaction === undefined || sender === undefined) continue;
    const { id, payoutType, details, requestedAmount, requestedCurrency, dropped, state } = recipient;
    const whereabouts = recipientStates[state].money;
    const isBack = whereabouts === 'called off' || ledger.has(`refund:${id}`);
    yield {
      recipientId: id,
      transactionId: transaction.id,
      externalId: transaction.externalId,
      type: payoutType,
      details,
      amount: requestedAmount,
      currency: requestedCurrency,
      sender: { id: sender.id, externalId: sender.externalId, fields: sender.fields },
      money: dropped ? 'back' : transaction.fundedAt === null ? 'unfunded' : isBack ? 'back' : 'gone',
    };
  }
}
