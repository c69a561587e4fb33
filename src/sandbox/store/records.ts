/** The records that the sandbox keeps. Amounts are decimal strings, times are milliseconds, ids are UUIDs. */

import type { CodelessOutcome } from '../../contract/controls/index.ts';
import type { PayinMethodState } from '../../contract/states/payin-method.ts';
import type { RecipientState } from '../../contract/states/recipient.ts';
import type { SenderState } from '../../contract/states/sender.ts';
import type { Basis } from '../../contract/states/state.ts';
import type { TransactionState } from '../../contract/states/transaction.ts';
import type { Decimal } from '../../core/money.ts';

/** Tasks that are due later, as plain data, so that a durable store can keep them. */
export type TaskBody =
  | { kind: 'expire'; transactionId: string }
  | { kind: 'auto_refund'; transactionId: string }
  | { kind: 'payin_start'; transactionId: string }
  /** `changes` tells whether the payin moved on since: how many it had then. */
  | { kind: 'payin_retry'; transactionId: string; payinId: string; changes: number }
  | { kind: 'review_end'; transactionId: string }
  | { kind: 'sender_check'; senderId: string; step: 'lists' | 'papers' }
  /** `turn` tells a task that was overtaken by an edit or a cancel from the one that counts. */
  | { kind: 'payout_try'; recipientId: string; turn: number }
  | { kind: 'payout_answer'; recipientId: string; turn: number; code: string }
  | { kind: 'payout_round'; recipientId: string; turn: number }
  | { kind: 'payout_unanswered'; recipientId: string; turn: number }
  | { kind: 'refund'; recipientId: string }
  | { kind: 'deliver'; deliveryId: string };

export interface Task {
  due: number;
  sequence: number;
  body: TaskBody;
}

/** Every change of state keeps the rule that made it, and whether the service states that rule or we assumed it. */
export interface StateChange {
  at: number;
  to: string;
  rule: string;
  basis: Basis;
  /** Counts all changes of the sandbox, so that those of one instant are told in order. */
  order: number;
  /** How often the same happened in a row, when more than once. */
  times?: number;
  /** A special circumstance of this change: the provider's code, a fault that was armed, whose word it was. */
  note?: string;
}

export type Plain = Readonly<Record<string, unknown>>;

export interface SenderRecord {
  id: string;
  state: SenderState;
  stateReason: string | null;
  externalId: string | null;
  type: 'person' | 'business';
  /** Everything the caller sent about the sender, the members above left out. */
  fields: Plain;
  createdAt: number;
  history: StateChange[];
}

export interface PayinRecord {
  id: string;
  type: string;
  uxFlow: string;
  inDetails: Plain;
  /** The details that the customer needs to pay: an account, a code to dial. */
  outDetails: Plain;
  state: PayinMethodState;
  reasonCode: string | null;
  history: StateChange[];
}

export interface TransactionRecord {
  id: string;
  externalId: string | null;
  state: TransactionState;
  stateReason: string | null;
  inputCurrency: string;
  inputAmount: Decimal;
  paidAmount: Decimal;
  senderId: string;
  recipientIds: string[];
  payins: PayinRecord[];
  payinReference: string | null;
  traits: { account_validation: boolean; auto_refund: boolean };
  metadata: Plain;
  createdAt: number;
  updatedAt: number;
  expiresAt: number;
  fundedAt: number | null;
  fundedBy: 'balance' | 'payin' | null;
  /** True once the 24 hours are on the schedule. */
  autoRefundDue: boolean;
  history: StateChange[];
}

export interface RecipientRecord {
  id: string;
  transactionId: string;
  senderId: string;
  type: 'person' | 'business';
  state: RecipientState;
  /** The code of the last answer of the provider. */
  reasonCode: string | null;
  /** Replaces the code's own sentence, such as for an account that could not be verified. */
  reasonText: string | null;
  requestedAmount: Decimal;
  requestedCurrency: string;
  inputAmount: Decimal;
  inputCurrency: string;
  outputAmount: Decimal;
  outputCurrency: string;
  rate: Decimal;
  inputUsdAmount: Decimal;
  payoutMethodId: string;
  payoutType: string;
  details: Plain;
  payoutMetadata: Plain;
  metadata: Plain;
  /** Metadata that the service itself adds: the holder's name, the pickup reference. */
  serviceMetadata: Plain;
  createdAt: number;
  /** Failed tries since the details were last changed. */
  tries: number;
  /** Name enquiries without a valid answer since then; left out where there were none. */
  enquiries?: number;
  /** Counts what was put on the schedule, so that an overtaken task knows it. */
  turn: number;
  /** A cancel that waits for the provider's word. */
  cancelWaiting: 'request' | 'auto_refund' | null;
  /** Cancelled before funding: no part of what was paid for, and nothing to refund. */
  dropped: boolean;
  /** The answer that control chose for the next try. */
  nextAnswer: ProviderWord | null;
  /** The mandate that the payout needs; null where none is needed. */
  mandateId: string | null;
  /** Proof-of-payment files, there once it is paid. */
  proofs: readonly { id: string; fileName: string }[];
  history: StateChange[];
}

/** A payout method that was stored on its own; those of recipients live in the recipients. */
export interface PayoutMethodRecord {
  id: string;
  type: string;
  kind: RecipientRecord['type'];
  details: Plain;
  metadata: Plain;
  state: 'enabled' | 'disabled';
  createdAt: number;
}

export interface DocumentRecord {
  id: string;
  /** A data URI or an address, as it was sent; never fetched. */
  upload: string;
  fileName: string;
  contentType: string | null;
  /** The size in bytes; null for an address. */
  size: number | null;
  /** Everything else that the caller sent. */
  fields: Plain;
  metadata: Plain;
  disabled: boolean;
  createdAt: number;
}

export interface MandateRecord {
  id: string;
  status: 'pending' | 'notified' | 'signed' | 'failed' | 'bypassed';
  /** The kind of beneficiary: 1 a person, 2 a business. */
  typeId: number;
  reference: string;
  /** Name, bank details and calendar year: who has the same uses the same mandate. */
  identity: string;
  /** The calendar year (UTC) in which it was issued and holds. */
  year: number;
  /** True once a recipient refers to it: before that, it is unowned. */
  linked: boolean;
  signedAt: number | null;
  createdAt: number;
  updatedAt: number;
}

export interface DebitRecord {
  id: string;
  transactionId: string;
  amount: Decimal;
  currency: string;
  usdAmount: Decimal;
  runningBalance: Decimal;
  metadata: Plain;
  createdAt: number;
}

/** One movement of money; `id` is its cause. */
export interface PostingRecord {
  id: string;
  at: number;
  /** `wallet EUR -1000;held EUR 1000`, in whole minor units. Earlier versions kept a list of objects, three times as large. */
  entries: string | readonly { book: string; currency: string; minor: string }[];
}

export interface WebhookRecord {
  id: string;
  url: string;
  events: string[];
  metadata: Plain;
  createdAt: number;
  enabled: boolean;
}

export interface DeliveryRecord {
  id: string;
  webhookId: string;
  event: string;
  instanceId: string;
  instanceType: string;
  body: string;
  /** Tries made so far. */
  tries: number;
}

export interface ApiLogRecord {
  id: string;
  createdAt: number;
  method: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  status: number;
  responseHeaders: Readonly<Record<string, string>>;
  responseBody: string;
}

export interface WebhookLogRecord {
  id: string;
  createdAt: number;
  message: string;
  webhook: WebhookRecord;
  event: string;
  instanceId: string;
  instanceType: string;
  attemptId: string;
  tries: number;
  requestHeaders: Readonly<Record<string, string>>;
  requestBody: string;
  responseStatus: string;
  responseHeaders: Readonly<Record<string, string>>;
  responseBody: string;
}

/** The provider's answer on a payout: a reason code of the service, or an ending that has no code. */
export type ProviderWord = { code: string } | { ending: ProviderEnding };

/** `round`: it fails and is with the provider again at once, as long as the fault `pending-loop` says so. */
export type ProviderEnding = CodelessOutcome | 'round';

export const PAID: ProviderWord = { code: '0' };
