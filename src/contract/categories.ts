/**
 * The meaning of each category of `state_reason_details` for edit, retry and cancel, and who must act
 * (docs/wire.md 14). For people only: see `codes.ts`.
 */
export type RecipientCategory =
  | 'paid'
  | 'pending'
  | 'timeout_error'
  | 'manual_reconciliation_required'
  | 'recipient_action_required'
  | 'temporary_error'
  | 'recipient_error'
  | 'sender_error';

export type PayinCategory =
  | 'paid'
  | 'pending'
  | 'sender_action_required'
  | 'temporary_error'
  | 'invalid_user_data_error'
  | 'sender_error';

/** Tells who must do something next. */
type Actor = 'nobody' | 'service' | 'you' | 'recipient' | 'sender' | 'operator';

export interface CategoryInfo {
  /** The word the sandbox puts on the wire. */
  wire: string;
  /** Other words for it, from older and newer descriptions. */
  aliases: readonly string[];
  meaning: string;
  /** The state such a thing is in, as a rule. */
  state: string;
  edit: string;
  retry: string;
  cancel: string;
  actor: Actor;
  next: string;
}

const WHILE_OPEN = {
  edit: 'accepted; used only if this try fails',
  retry: 'not before the provider answers',
  cancel: 'can be asked for; takes effect only if the provider confirms that it failed',
};

export const recipientCategories: Readonly<Record<RecipientCategory, CategoryInfo>> = {
  paid: {
    wire: 'paid',
    aliases: [],
    meaning: 'the money arrived; final',
    state: 'success',
    edit: 'not possible',
    retry: 'not needed',
    cancel: 'not possible',
    actor: 'nobody',
    next: 'nothing',
  },
  pending: {
    wire: 'unknown',
    aliases: ['unknown'],
    meaning: 'no error: the provider has not given a result yet',
    state: 'pending',
    ...WHILE_OPEN,
    actor: 'service',
    next: 'wait for webhooks',
  },
  timeout_error: {
    wire: 'unknown',
    aliases: [],
    meaning: 'the call to the provider timed out and the result is open',
    state: 'pending, or stuck when no answer comes',
    ...WHILE_OPEN,
    actor: 'service',
    next: 'wait; ask the operator when it is stuck',
  },
  manual_reconciliation_required: {
    wire: 'unknown',
    aliases: ['exception'],
    meaning: 'an unknown fault: the operator looks into it, then tries again or asks you to cancel',
    state: 'pending or exception',
    edit: 'not known to help',
    retry: 'by the operator',
    cancel: 'through the operator',
    actor: 'operator',
    next: 'wait, or ask the operator',
  },
  recipient_action_required: {
    wire: 'pickupable',
    aliases: ['pickupable', 'recipent_action_required'],
    meaning: 'the recipient has to act: collect the cash, sign the mandate, confirm the code',
    state: 'pending',
    edit: 'for cash always; the pickup reference stays the same',
    retry: 'not needed',
    cancel: 'for cash at once, and the pickup code is void; otherwise where may_cancel says so',
    actor: 'recipient',
    next: 'tell the recipient, or cancel',
  },
  temporary_error: {
    wire: 'temporary_error',
    aliases: [],
    meaning: 'usually clears without action, mostly within 24 hours',
    state: 'error',
    edit: 'possible',
    retry: 'the service tries again',
    cancel: 'at once',
    actor: 'service',
    next: 'wait; edit or cancel if you want',
  },
  recipient_error: {
    wire: 'recipient_error',
    aliases: [],
    meaning: 'usually permanent: wrong details or a blocked account',
    state: 'error, or manual after too many tries',
    edit: 'possible, and it helps',
    retry: 'helps only after an edit',
    cancel: 'at once',
    actor: 'you',
    next: 'edit the recipient, or cancel',
  },
  sender_error: {
    wire: 'sender_error',
    aliases: [],
    meaning: 'a problem of the sender or the transaction: other recipient details do not help',
    state: 'error',
    edit: 'does not help',
    retry: 'does not help',
    cancel: 'at once',
    actor: 'you',
    next: 'cancel',
  },
};

const DELETE_STARTS = 'can be started';

export const payinCategories: Readonly<Record<PayinCategory, CategoryInfo>> = {
  paid: {
    wire: 'paid',
    aliases: [],
    meaning: 'the money was collected',
    state: 'success',
    edit: 'not possible',
    retry: 'not needed',
    cancel: 'only by a refund',
    actor: 'nobody',
    next: 'nothing',
  },
  pending: {
    wire: 'pending',
    aliases: ['unknown'],
    meaning: "the sender's money is awaited",
    state: 'pending or processing',
    edit: 'accepted; its effect is not described',
    retry: 'not possible',
    cancel: DELETE_STARTS,
    actor: 'sender',
    next: 'wait, one hour at most',
  },
  sender_action_required: {
    wire: 'sender_action_required',
    aliases: ['user_action_required'],
    meaning: 'the sender has to act, for example confirm a code',
    state: 'incomplete or pending',
    edit: 'possible: hand in the code',
    retry: 'not possible',
    cancel: DELETE_STARTS,
    actor: 'sender',
    next: 'tell the sender',
  },
  temporary_error: {
    wire: 'temporary_error',
    aliases: [],
    meaning: 'the provider takes no collections at the moment',
    state: 'error',
    edit: 'possible',
    retry: 'possible, and done by the service later',
    cancel: DELETE_STARTS,
    actor: 'service',
    next: 'wait, or retry',
  },
  invalid_user_data_error: {
    wire: 'invalid_user_data_error',
    aliases: ['user_invalid_data_error', 'recipient_error'],
    meaning: "the sender's number or code is wrong",
    state: 'error',
    edit: 'possible, and it helps',
    retry: 'after an edit',
    cancel: DELETE_STARTS,
    actor: 'you',
    next: 'edit, then retry',
  },
  sender_error: {
    wire: 'sender_error',
    aliases: [],
    meaning: 'the collection cannot be processed',
    state: 'error',
    edit: 'does not help',
    retry: 'does not help',
    cancel: DELETE_STARTS,
    actor: 'you',
    next: 'cancel',
  },
};

/** A category by any of its names, the service's own first. `unknown` reads as `pending`: both say that it is not known. */
export function categoryInfo(
  name: string,
  of: 'recipient' | 'payin' = 'recipient',
): (CategoryInfo & { name: string }) | undefined {
  const table: Readonly<Record<string, CategoryInfo>> =
    of === 'payin' ? payinCategories : recipientCategories;
  const found = Object.entries(table).find(([key, row]) => key === name || row.aliases.includes(name));
  return found && { name: found[0], ...found[1] };
}
