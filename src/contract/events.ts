/**
 * The 38 names of webhook events (docs/wire.md 12). A name starts with the kind of object it concerns.
 */
type EventObject =
  | 'transaction'
  | 'recipient'
  | 'sender'
  | 'payin_method'
  | 'payout_method'
  | 'document'
  | 'transaction_request';

export interface EventInfo {
  object: EventObject;
  meaning: string;
  /** True where the sandbox ever sends it. */
  sandbox: boolean;
  /** Sent for collections only, not for transactions funded from a balance. */
  collectionsOnly?: true;
}

const row = (object: EventObject, meaning: string): EventInfo => ({ object, meaning, sandbox: true });
/** Requests for a transaction have no documented shape: known by name, never sent by the sandbox. */
const unsent = (meaning: string): EventInfo => ({ object: 'transaction_request', meaning, sandbox: false });

const events = {
  'document.created': row('document', 'a document was stored'),
  'document.disabled': row('document', 'a document is no longer used'),
  'payin_method.canceled': row(
    'payin_method',
    'the collection was cancelled; money already sent is refunded',
  ),
  'payin_method.error': row('payin_method', 'a try to collect failed and no money came in; edit or retry it'),
  'payin_method.exception': row(
    'payin_method',
    'something unexpected happened in the collection; ask the operator',
  ),
  'payin_method.incomplete': row('payin_method', 'details are missing that only you can give'),
  'payin_method.mispaid': row('payin_method', 'the sender paid another amount than was asked'),
  'payin_method.paid_in': row('payin_method', 'the collection succeeded'),
  'payin_method.pending': row('payin_method', "the collection started; the sender's money is awaited"),
  'payin_method.processing': row('payin_method', "money arrived; the provider's final word is awaited"),
  'payin_method.refunded': row('payin_method', 'the sender got the collected money back'),
  'payout_method.created': row('payout_method', 'a payout method was stored'),
  'payout_method.disabled': row('payout_method', 'a payout method is no longer used'),
  'recipient.error': row(
    'recipient',
    'a payout try failed; it is tried again until it succeeds or is cancelled',
  ),
  'recipient.paid_out': row('recipient', 'this recipient was paid'),
  'recipient.pending': row(
    'recipient',
    'the payout is with the provider; for cash it carries the pickup code',
  ),
  'recipient.refunded': row('recipient', "this recipient's money was returned"),
  'sender.approved': row('sender', 'the sender may transact'),
  'sender.created': row('sender', 'a sender was stored'),
  'sender.disabled': row('sender', 'the sender was switched off by a delete request'),
  'sender.rejected': row('sender', 'the sender failed the checks'),
  'transaction.approved': row('transaction', 'the sender is approved: the transaction can be funded'),
  'transaction.canceled': {
    ...row('transaction', 'a collection was not paid in time'),
    collectionsOnly: true,
  },
  'transaction.created': row('transaction', 'a transaction was created'),
  'transaction.exception': row('transaction', 'something unexpected happened; ask the operator'),
  'transaction.mispaid': row(
    'transaction',
    'another amount than asked was collected; the transaction was resized',
  ),
  'transaction.paid_in': {
    ...row('transaction', "the customer's money for a collection arrived"),
    collectionsOnly: true,
  },
  'transaction.paid_out': row(
    'transaction',
    'every recipient was paid, or the collected money is on the balance',
  ),
  'transaction.refunded': row('transaction', 'cancelled after funding, and the money was returned'),
  'transaction_request.accepted': unsent('a request for a transaction was accepted'),
  'transaction_request.canceled': unsent('a request for a transaction was cancelled'),
  'transaction_request.confirmed': unsent('a request for a transaction was confirmed'),
  'transaction_request.created': unsent('a request for a transaction was made'),
  'transaction_request.expired': unsent('a request for a transaction ran out of time'),
  'transaction_request.modified': unsent('a request for a transaction was changed'),
  'transaction_request.refused': unsent('a request for a transaction was refused'),
  'transaction_request.rejected': unsent('a request for a transaction was rejected'),
  'transaction_request.reset': unsent('a request for a transaction was set back'),
} as const satisfies Record<string, EventInfo>;

export type EventName = keyof typeof events;

export const eventNames = Object.keys(events) as EventName[];

export function isEventName(name: string): name is EventName {
  return Object.hasOwn(events, name);
}

export function eventInfo(name: EventName): EventInfo {
  return events[name];
}
