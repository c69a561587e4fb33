/** A comparison of a ledger with the service or with banks: its rows, its totals, the accounts of the banks. */
import * as z from 'zod/mini';
import { amountOrNull, number, numberOrNull, own, shape, text, textOrNull } from '../../frame/shape.ts';
import { ENDINGS } from './endings.ts';

const side = { id: textOrNull, reference: textOrNull, amount: text, currency: text, day: textOrNull };
const line = numberOrNull;
export const reconciledRowShape = shape(
  'reconciled_row',
  own({
    /** An id that is the same in every run, made from what the difference says. */
    case: text,
    against: text,
    ending: z.enum(ENDINGS),
    why: text,
    ledger: z.nullable(own({ ...side, line: number })),
    other: z.nullable(
      own({
        ...side,
        line,
        transaction_id: textOrNull,
        state: textOrNull,
        /** The money that came back of it. */
        refunded: textOrNull,
        deadline: textOrNull,
      }),
    ),
    /** The row of the ledger that has the same payment, where this line shows another one or none. */
    with_line: line,
    edge: textOrNull,
    /** The row of the other side that perhaps is the same payment: a person decides. */
    perhaps: z.nullable(own({ ...side, line })),
    /** The suggestion of a rule; with an id a person may accept it. */
    suggestion: z.nullable(own({ id: textOrNull, rule: text, words: text, charge: textOrNull })),
    next: z.nullable(z.looseObject({ do: text })),
    /** `next` as a command to type. */
    command: textOrNull,
    decision: z.nullable(z.enum(['accept', 'open'])),
    note: textOrNull,
    /** Tells who decided, and on which day, as the file of rules has it. */
    decided_by: textOrNull,
    decided_on: textOrNull,
  }),
);
export const reconciledTotalShape = shape(
  'reconciled_total',
  own({
    against: text,
    /** `ledger`, or the other one. */
    side: text,
    currency: text,
    /** Null for all rows that were read. */
    ending: z.nullable(z.enum(ENDINGS)),
    rows: number,
    amount: text,
  }),
);
/** An account of the bank, with its balances at the ends of the time, and what the ledger says of it. */
export const reconciledAccountShape = shape(
  'reconciled_account',
  own({
    /** Its name in the rules, else the file where that names no number which tells it from others. */
    account: textOrNull,
    account_number: textOrNull,
    currency: text,
    opening: amountOrNull,
    closing: amountOrNull,
    /** Null where the ledger has no column of balances. */
    ledger_opening: amountOrNull,
    ledger_closing: amountOrNull,
    /** The closing balance of the ledger less that of the bank. */
    difference: amountOrNull,
    movements: number,
    ledger_rows: number,
  }),
);
