/** Pay runs, their rows and who approves them. */
import * as z from 'zod/mini';
import {
  amount,
  amountOrNull,
  amounts,
  number,
  numberOrNull,
  own,
  shape,
  text,
  textOrNull,
  texts,
  time,
  timeOrNull,
  yesNo,
} from '../frame/shape.ts';

const run = {
  name: text,
  id: text,
  state: text,
  /** The ending of the rows, in words. */
  status: text,
  rows: number,
  why: textOrNull,
  environment: text,
  profile: text,
  planned_by: textOrNull,
  approved_by: textOrNull,
  /** Tells who wants it not to be paid, and why; null if not rejected. */
  rejected_by: textOrNull,
  /** Tells who wants nothing of it to be sent for a while, and why; null if not held. */
  held_by: textOrNull,
  /** The moment before which no row of it is sent; null where it may be paid at once. */
  not_before: timeOrNull,
  /** Null where it was forgotten: a digest of few rows tells, to who tries, what they said. */
  digest: textOrNull,
  /** When its rows were last read whole and found to be as planned. */
  checked_at: timeOrNull,
  /** When the names and accounts of its rows were forgotten. */
  forgotten_at: timeOrNull,
  /** Earlier runs were compared with it from then on, where some were forgotten; null where all of the last 35 days were. */
  compared_from: timeOrNull,
  created_at: time,
};
export const runShape = shape('payrun', own(run));

const statement = own({
  approver: text,
  fingerprint: text,
  verdict: text,
  because: textOrNull,
  signed_at: text,
  until: textOrNull,
  standing: z.enum(['counts', 'ended', 'rejects', 'replaced', 'not_accepted', 'forged']),
});
export type ShownStatement = z.output<typeof statement>;

/** The rate and the cost that were planned, beside those that it was paid for. */
const prices = {
  input_currency: text,
  /** Units that arrive for one that is paid in; null where both are one currency. */
  planned_rate: textOrNull,
  /** The amount that arrives by its cost; null before it is paid for, and where an amount to pay in was asked for. */
  paid_rate: textOrNull,
  /** An amount in the input currency. */
  planned_cost: amountOrNull,
  cost: amountOrNull,
  /** `cost` less `planned_cost`. */
  cost_difference: amountOrNull,
};

export type Prices = z.output<z.ZodMiniObject<typeof prices>>;

export const runStatusShape = shape(
  'payrun_status',
  own({
    ...run,
    /** How many rows are in each state that occurs. */
    states: z.record(text, number),
    totals: z.readonly(
      z.array(
        own({
          type: text,
          currency: text,
          rows: number,
          amount,
          paid: amount,
          open: amount,
          held: amount,
          unknown: amount,
          /** The prices of the rows that were paid for, by any user. */
          ...prices,
        }),
      ),
    ),
    spent: amounts,
    /** Rows that were paid before this run, and not by it; null where none was. */
    paid_before: z.nullable(own({ rows: number, accepted: number, costs: amounts })),
    /** Rows that were paid elsewhere under the ids of this run; null where none was. */
    paid_elsewhere: z.nullable(own({ rows: number, costs: amounts })),
    /** Rows that were paid for with other money or to another payee than the run asked; null where none was. */
    made_otherwise: z.nullable(own({ rows: number, costs: amounts })),
    /** Rows whose payee was paid at another account before, or whose account was another payee's; null without a comparison. */
    changed_payees: numberOrNull,
    still_needed: amounts,
    limits: amounts,
    /** Tells who signed it, and who rejected it; empty if no one did, or it was not read. */
    signatures: z.readonly(z.array(statement)),
    /** How many signatures the profile wants; null where it wants none. */
    signatures_wanted: numberOrNull,
    /** Until then as many hold as are wanted; null where they do not. */
    signed_until: timeOrNull,
    agrees: yesNo,
    breaks: texts,
    ending: text,
  }),
);

export const runRowShape = shape(
  'payrun_row',
  own({
    row: number,
    key: text,
    /** The recipient's name, and the end of the account; whole with --reveal. Null in a run that was forgotten. */
    name: textOrNull,
    account: textOrNull,
    /** `shown`: the service showed the account whole. `asked`: it did not, and the account is as it was asked for. Null in a run that was forgotten. */
    account_is: z.nullable(z.enum(['asked', 'shown'])),
    /** The account that was asked for, where the payee is another one by now; else null. */
    asked_account: textOrNull,
    /** Names of details that the service shows and remit does not know; else null. */
    unknown_details: textOrNull,
    /** When it was seen that the account had been changed without an edit of this machine; else null. */
    changed_elsewhere_at: timeOrNull,
    state: text,
    type: text,
    amount,
    currency: text,
    ...prices,
    code: textOrNull,
    why: textOrNull,
    who_must_act: textOrNull,
    /** `before`: paid before this run, and not by it. `elsewhere`: under an id of this run, from another store or another file. Null where neither. */
    found: z.nullable(z.enum(['before', 'elsewhere', 'otherwise'])),
    external_id: text,
    /** The file that it was handed on to, and the external id that it has there. */
    handed_on_to: textOrNull,
    handed_on_as: textOrNull,
    transaction_id: textOrNull,
    recipient_id: textOrNull,
    /** From the books: the service does not say it. Null where it is not paid out, or the books do not know. */
    paid_at: timeOrNull,
    /** `account`: the payee was last paid at another. `owner`: the account is one at which another payee was paid. Null where neither. */
    payee_changed: z.nullable(z.enum(['account', 'owner', 'account and owner'])),
    /** The holder's name, as the service answered it beside the row's, and when; null if not asked for. */
    holder_name: z.nullable(z.enum(['match', 'close', 'other', 'cannot_tell'])),
    holder_asked_at: timeOrNull,
    /** Payout details that were corrected in the run, by whom last and when. Null where none was. */
    corrected: textOrNull,
    corrected_by: textOrNull,
    corrected_at: timeOrNull,
    tries: number,
    updated_at: time,
  }),
);

export const forgettingShape = shape(
  'payrun_forgetting',
  own({
    name: text,
    id: text,
    rows: number,
    outcome: z.enum(['forgotten', 'would be forgotten', 'not over']),
    /** The reason that keeps it from being forgotten. */
    why: textOrNull,
    last_change_at: time,
    forgotten_at: timeOrNull,
  }),
);

/** A fault of a file, in words without an account number and without a name. */
export const faultShape = shape(
  'batch_fault',
  own({
    row: z.optional(number),
    at: z.optional(text),
    column: z.optional(text),
    /** A machine word, stable across versions: `not_a_choice`. */
    code: text,
    words: text,
    /** The hint at what would be right: `did you mean 044?`. */
    right: z.optional(text),
  }),
);

/** How the files of one program are read. */
export const mappingShape = shape(
  'batch_mapping',
  own({
    name: text,
    columns: z.readonly(z.array(own({ column: text, header: text }))),
    split_name: textOrNull,
    decimal_comma: yesNo,
    /** The value of rows that leave the column empty. */
    where_empty: z.readonly(z.array(own({ column: text, value: text }))),
  }),
);

/** A whole name, and the two that were made of it. */
export const dividedShape = shape(
  'batch_name',
  own({ row: number, at: text, name: text, first_name: text, last_name: text }),
);

/** A key with which pay runs are approved: what everybody may see of it. */
export const approverShape = shape(
  'approver',
  own({
    name: text,
    algorithm: text,
    public_key: text,
    fingerprint: text,
    /** Where the private key is: `keychain`, or `file`, sealed with a passphrase. */
    kept_in: text,
  }),
);

/** Differences between two lists of payments, the gravest first: money that goes elsewhere. */
export const CHANGES = [
  'account',
  'corridor',
  'name',
  'sender',
  'new',
  'gone',
  'input_currency',
  'amount',
  'external_id',
] as const;
export type PayeeChangeKind = (typeof CHANGES)[number];

export const payeeChangeShape = shape(
  'payee_change',
  own({
    key: text,
    /** The first is the gravest. */
    changes: z.array(z.enum(CHANGES)),
    name: textOrNull,
    /** Its end; whole with --reveal. Null for a payee that is gone. */
    account: textOrNull,
    amount: amountOrNull,
    currency: text,
    type: text,
    /** The id or external id, or the name of one that is described in the row. */
    sender: textOrNull,
    input_currency: textOrNull,
    /** The one that the row brought; null where remit makes it. */
    external_id: textOrNull,
    /** The members of the earlier list, null for a payee that is new. */
    old_key: textOrNull,
    old_name: textOrNull,
    old_account: textOrNull,
    old_amount: amountOrNull,
    old_currency: textOrNull,
    old_type: textOrNull,
    old_sender: textOrNull,
    old_input_currency: textOrNull,
    old_external_id: textOrNull,
    /** The key of another payee who had this account in the earlier list. */
    account_was_of: textOrNull,
  }),
);
