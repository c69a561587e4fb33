/** Stores what a request described: the transaction, its recipients and its payins, in their first states. */
import { payinMethodStarts } from '../../contract/states/payin-method.ts';
import { recipientStarts } from '../../contract/states/recipient-moves.ts';
import { transactionStarts } from '../../contract/states/transaction-moves.ts';
import { FUNDABLE_MS } from '../../contract/timing.ts';
import { startRow } from '../machines/step.ts';
import type { PayinDraft } from '../rules/payin.ts';
import { NOTHING } from '../rules/reading.ts';
import type { RecipientDraft } from '../rules/recipient.ts';
import type { TransactionDraft } from '../rules/transaction.ts';
import { newId, type SandboxState } from '../sandbox-state.ts';
import type { PayinRecord, RecipientRecord, SenderRecord, TransactionRecord } from '../store/records.ts';
import { schedulePayins } from './collection.ts';
import { holdsMandate } from './mandate.ts';
import { announcePayin, announceTransaction, changeBy } from './moves.ts';

export function storeTransaction(
  sandbox: SandboxState,
  draft: TransactionDraft,
  sender: SenderRecord,
): TransactionRecord {
  const now = sandbox.clock.now();
  const begin = startRow(
    transactionStarts,
    sender.state === 'approved' ? 'sender_approved' : 'sender_not_approved',
  );
  const id = newId(sandbox);
  const recipients = draft.recipients.map((each) =>
    recipientRecord(sandbox, each, { id, senderId: sender.id, now }),
  );
  const record: TransactionRecord = {
    id,
    externalId: draft.externalId,
    state: begin.to,
    stateReason: null,
    inputCurrency: draft.inputCurrency,
    inputAmount: draft.inputAmount,
    paidAmount: '0',
    senderId: sender.id,
    recipientIds: recipients.map((recipient) => recipient.id),
    payins: draft.payins.map((payin) => payinRecord(sandbox, payin)),
    payinReference: draft.payins.length > 0 ? payinReference(sandbox) : null,
    traits: draft.traits,
    metadata: draft.metadata,
    createdAt: now,
    updatedAt: now,
    expiresAt: now + FUNDABLE_MS,
    fundedAt: null,
    fundedBy: null,
    autoRefundDue: false,
    history: [changeBy(sandbox, begin)],
  };
  for (const recipient of recipients) sandbox.store.recipients.insert(recipient);
  sandbox.store.transactions.insert(record);
  announceTransaction(sandbox, record, begin.events);
  for (const recipient of recipients) holdsMandate(sandbox, recipient);
  return record;
}

/** Starts what a transaction that waits for its money goes through: it expires, and a collection starts. */
export function awaitFunds(sandbox: SandboxState, transaction: TransactionRecord): void {
  sandbox.schedule.add(transaction.expiresAt, { kind: 'expire', transactionId: transaction.id });
  for (const payin of transaction.payins) {
    if (payin.state === 'incomplete') announcePayin(sandbox, transaction, payin, ['payin_method.incomplete']);
  }
  schedulePayins(sandbox, transaction);
}

function recipientRecord(
  sandbox: SandboxState,
  draft: RecipientDraft,
  { id: transactionId, senderId, now }: { id: string; senderId: string; now: number },
): RecipientRecord {
  const { payout } = draft;
  /* Member by member: taking over the rest of an object takes as long as all else here. */
  return {
    id: newId(sandbox),
    transactionId,
    senderId,
    type: draft.kind,
    state: 'initial',
    reasonCode: null,
    reasonText: null,
    inputCurrency: draft.inputCurrency,
    inputAmount: draft.inputAmount,
    outputAmount: draft.outputAmount,
    rate: draft.rate,
    inputUsdAmount: draft.inputUsdAmount,
    requestedAmount: draft.requestedAmount,
    requestedCurrency: draft.requestedCurrency,
    outputCurrency: payout.currency,
    payoutMethodId: newId(sandbox),
    payoutType: payout.type,
    details: payout.details,
    payoutMetadata: payout.metadata,
    metadata: draft.metadata,
    serviceMetadata: NOTHING,
    createdAt: now,
    tries: 0,
    turn: 0,
    cancelWaiting: null,
    dropped: false,
    nextAnswer: null,
    mandateId: null,
    proofs: [],
    history: [changeBy(sandbox, startRow(recipientStarts, 'created'))],
  };
}

function payinRecord(sandbox: SandboxState, { complete, ...draft }: PayinDraft): PayinRecord {
  const begin = startRow(payinMethodStarts, complete ? 'complete' : 'incomplete');
  return {
    id: newId(sandbox),
    ...draft,
    outDetails: {},
    state: begin.to,
    reasonCode: null,
    history: [changeBy(sandbox, begin)],
  };
}

/** The reference that the customer gives to the provider: letters and digits that are hard to mistake. */
function payinReference(sandbox: SandboxState): string {
  const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  return Array.from({ length: 8 }, () => letters[Math.floor(sandbox.random.next() * letters.length)]).join(
    '',
  );
}
