/** Payments, their recipients, and what is done with them. */
import * as z from 'zod/mini';
import { document, mandate, proofOfPayment } from '../../contract/resources/document.ts';
import { payinMethod, payoutMethod } from '../../contract/resources/payment-method.ts';
import { sender } from '../../contract/resources/sender.ts';
import { recipient, transaction } from '../../contract/resources/transaction.ts';
import { accountValidationResult } from '../../contract/resources/validation.ts';
import {
  amount,
  amountOrNull,
  number,
  numberOrNull,
  own,
  shape,
  text,
  textOrNull,
  time,
  timeOrNull,
  wire,
  yesNo,
} from '../../frame/shape.ts';

const direction = z.nullable(z.enum(['payout', 'collection']));
/** Added to a record that was read beside the books. */
const fromBooks = z.optional(
  own({
    paid_at: timeOrNull,
    refunded_at: timeOrNull,
    funded: z.optional(z.nullable(yesNo)),
    margin: z.optional(textOrNull),
    margin_amount: z.optional(amountOrNull),
  }),
);

export const transactionShape = shape(
  'transaction',
  wire(transaction, {
    refunded_amount: amountOrNull,
    net_amount: amountOrNull,
    direction: z.optional(direction),
    from_books: fromBooks,
    /** The one that all recipients have, and the fees that the service says, in the input currency. */
    rate: z.optional(textOrNull),
    fee_amount: z.optional(amountOrNull),
  }),
  ['direction', 'from_books', 'rate', 'fee_amount'],
);

export const calculationShape = shape('calculation', transaction);

const standing = own({
  act: z.nullable(z.enum(['edit', 'cancel', 'ask', 'wait'])),
  because: text,
  can: z.readonly(z.array(z.enum(['edit', 'cancel', 'request_cancel']))),
  age_seconds: numberOrNull,
  /** Between these two: funding may come up to an hour after the creation. */
  refund_in_seconds: z.nullable(own({ earliest: number, latest: number })),
  /** The act that was asked for from here, and is not answered yet. */
  awaiting: z.nullable(z.enum(['edit', 'cancel'])),
  tell_the_customer: text,
  /** How long ago it was asked for from here; null where it was not. */
  done_before: own({ cancel_requested_seconds: numberOrNull, edited_seconds: numberOrNull }),
});
export type ShownNextAction = z.output<typeof standing>;

const lookAlike = own({
  recipient_id: textOrNull,
  transaction_id: textOrNull,
  external_id: textOrNull,
  state: textOrNull,
  output_amount: amountOrNull,
  output_currency: textOrNull,
  created_at: textOrNull,
});
export type LookAlike = z.output<typeof lookAlike>;

const facts = {
  sender: z.nullable(sender),
  /** The time that it was paid, as nearly as the books know; null where it was not, or they do not. */
  paid_at: timeOrNull,
  refunded_at: timeOrNull,
  /** When the payment last changed, by the service: what happened to it was not later. */
  changed_at: textOrNull,
  /** Null where it is funded, or can be no more. */
  fund_until: timeOrNull,
  pickup: z.nullable(own({ code: textOrNull, where: textOrNull })),
  /** Null where the look failed. */
  look_alikes: z.nullable(z.array(lookAlike)),
};
export type CaseFacts = z.output<z.ZodMiniObject<typeof facts>>;

export const recipientShape = shape(
  'recipient',
  wire(recipient, {
    direction: z.optional(direction),
    from_books: fromBooks,
    standing: z.optional(standing),
    ...z.partial(own(facts)).shape,
  }),
  ['direction', 'from_books', 'standing', ...(Object.keys(facts) as (keyof typeof facts)[])],
);

export const triageShape = shape(
  'triage',
  wire(recipient, { standing, sender: z.optional(z.nullable(sender)) }),
);

/** An act at the board, one row each, with the command that does the same in a script. */
export const triageDoneShape = shape(
  'triage_done',
  own({ recipient_id: text, action: text, outcome: text, command: text }),
);

export const foundShape = shape(
  'found',
  wire(recipient, {
    sender: z.nullish(sender),
    /** The members that the words fitted. */
    why: text,
    /** True where one of them fitted the sender alone. */
    by_sender: yesNo,
    /** When the books read it. */
    as_of: text,
    direction,
    state_words: textOrNull,
  }),
);

export const timelineShape = shape(
  'timeline',
  own({
    /** Empty where it is not known. */
    at: text,
    by: z.enum(['service', 'you']),
    /** `state`: it came to stand there. `request`: you asked for something. `gap`: older records were not read. */
    what: z.enum(['state', 'request', 'gap']),
    name: text,
    event: textOrNull,
    code: textOrNull,
    reason: textOrNull,
    /** The status that your request was answered with. */
    status: textOrNull,
  }),
);

export const cancellationShape = shape(
  'cancellation',
  own({
    recipient,
    transaction_id: text,
    ending: text,
    why: z.optional(text),
    /** Where it was refused: the exit code of that refusal. */
    exit: z.optional(number),
    /** True where the service was asked at all. */
    sent: yesNo,
  }),
);

export const fundingShape = shape(
  'funding',
  own({ transaction, ending: z.enum(['funded', 'not funded', 'unknown']), why: textOrNull }),
);

/** A change of a state, as it was seen. */
export const changeShape = shape(
  'change',
  own({
    /** When it was seen, not when it happened. */
    seen_at: time,
    what: z.enum(['transaction', 'recipient', 'payin_method']),
    id: text,
    /** Null at the first look. */
    from: textOrNull,
    to: text,
    reason: textOrNull,
  }),
);

const request = { method: text, url: text, string_to_sign: text };
/** A request that was not sent. */
export const dryRunShape = shape(
  'dry_run',
  own({
    ...request,
    body: z.unknown(),
    amounts: z.array(own({ requested: amount, paid_as: amount, currency: text })),
  }),
);
/** The body as it would be sent, but for what is masked. The digest is of the bytes that would be sent. */
export const rawDryRunShape = shape('raw_dry_run', own({ ...request, body: textOrNull }));

const flow = own({ type: text, ux_flow: text, open: yesNo, problems: z.array(text) });
export type FlowAnswer = z.output<typeof flow>;
export const validationShape = shape('validation', own({ valid: yesNo, flows: z.array(flow), transaction }));
export const accountValidationShape = shape(
  'account_validation',
  wire(accountValidationResult, { valid: yesNo, error: z.nullish(text) }),
);

export const senderShape = shape('sender', sender);
export const payinMethodShape = shape('payin_method', payinMethod);
export const payoutMethodShape = shape('payout_method', payoutMethod);
export const documentShape = shape('document', document);
export const mandateShape = shape('mandate', mandate);
export const proofShape = shape('proof_of_payment', proofOfPayment);
/** One file that was to be downloaded. */
export const proofFileShape = shape(
  'proof_file',
  own({
    id: textOrNull,
    path: text,
    bytes: numberOrNull,
    outcome: z.enum(['written', 'there already', 'failed']),
    why: textOrNull,
  }),
);

/** A payment of the demo, with what became of it. */
export const demoPaymentShape = shape(
  'demo_payment',
  own({ external_id: text, story: text, state: text, input: text, cost: text }),
);

/** A write that was sent with money, as the journal has it. */
export const intentShape = shape(
  'intent',
  own({
    id: text,
    state: z.enum(['open', 'applied', 'not_applied', 'unknown', 'conflict']),
    /** Tells who was signed in on this machine, as far as it says. */
    user: textOrNull,
    command: text,
    operation: text,
    /** Null where it is about several currencies. */
    amount: amountOrNull,
    currency: textOrNull,
    summary: text,
    note: textOrNull,
    result_id: textOrNull,
    external_id: textOrNull,
    subject: textOrNull,
    transaction_id: textOrNull,
    profile: text,
    environment: text,
    base_url: text,
    /** The last four of the key. */
    key: text,
    created_at: time,
    updated_at: time,
    /** With `settle --all`: what was found out. */
    why: z.optional(text),
  }),
  ['why'],
);

/** Costs of payments from one currency, beside their amounts. */
export const costs = {
  /** Units of the output currency for one of the input: all that arrives by all that was paid in; null where several currencies arrive. */
  rate: textOrNull,
  /** The part of the mid-market rates that was not given, by what was paid in. */
  margin: textOrNull,
  /** The same in money of the input currency: the sum of each payment's. Null where the books saw the rates of none. */
  margin_amount: amountOrNull,
  /** How many payouts are in another currency and not in the margin: the books did not see the rates of their days. */
  margin_unknown: number,
  /** Fees, as the service says them, in the input currency; null where it says none. */
  fee_amount: amountOrNull,
};
export type Costs = z.output<z.ZodMiniObject<typeof costs>>;
