/** The books and what is made from them: statements, sums; and the service's own reports. */

import * as z from 'zod/mini';
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
  yesNo,
} from '../frame/shape.ts';
import { costs } from '../payments/shapes/payments.ts';

/** Movements that came since a month was closed, of the payments of that month. */
export const correctionSum = own({
  month: text,
  currency: text,
  movements: number,
  /** Has the sign by which the balance moved. */
  amount,
});

const closedMonth = own({
  month: text,
  zone: text,
  closed_at: time,
  /** SHA-256 of the manifest of its papers, in hex. */
  manifest: text,
  /** Movements that came since, by currency. */
  corrections: z.array(correctionSum),
});

const direction = z.enum(['payout', 'collection']);

export const syncedShape = shape(
  'books_synced',
  own({
    pages: number,
    calls: number,
    added: number,
    changed: number,
    older: number,
    complete: yesNo,
    missing: number,
    open: number,
    seconds: text,
    /** Movements of closed months that came since the last time. */
    corrections: z.array(correctionSum),
  }),
);

export const booksShape = shape(
  'books',
  own({
    transactions: number,
    recipients: number,
    open: number,
    complete_until: textOrNull,
    oldest: textOrNull,
    newest: textOrNull,
    /** Where an unfinished first reading goes on. */
    next_page: numberOrNull,
    /** False where hashes are kept in place of names and accounts. */
    names: yesNo,
    forgotten_before: textOrNull,
    closed: z.array(closedMonth),
    bytes: number,
    file: text,
  }),
);

export const differenceShape = shape(
  'books_difference',
  own({
    id: text,
    /** `movements differ`: of a record, what it moved; `sums differ`: of a currency, what all of them moved. */
    kind: z.enum(['not in the books', 'not at the service', 'differs', 'movements differ', 'sums differ']),
    /** Names of members that differ, with both values where they are states. */
    what: text,
  }),
);

export const booksForgottenShape = shape(
  'books_forgotten',
  own({
    /** Null where damaged books could not be counted. */
    forgotten: numberOrNull,
    before: textOrNull,
    left: number,
  }),
);

const paid = own({
  recipient_id: textOrNull,
  name: text,
  /** The cost of the payment; of a collection, the amount that was collected. */
  input_amount: amountOrNull,
  input_currency: textOrNull,
  output_amount: amountOrNull,
  output_currency: textOrNull,
  rate: textOrNull,
  margin: textOrNull,
  /** The margin in money of the input currency, rounded half up to its decimals. */
  margin_amount: amountOrNull,
});
export type Paid = z.output<typeof paid>;

export const statementLineShape = shape(
  'statement_line',
  own({
    kind: text,
    /** When it happened, as ISO 8601; of an unexplained difference when it was found. */
    at: text,
    /** It happened after this, where no more is known. */
    after: textOrNull,
    currency: text,
    /** Has the sign by which the balance moved; null for the two ends. */
    amount: amountOrNull,
    /** The balance behind it; null before the balance was first seen: what came in until then is unknown. */
    balance: amountOrNull,
    transaction_id: textOrNull,
    external_id: textOrNull,
    recipient_id: textOrNull,
    name: textOrNull,
    reference: textOrNull,
    state: textOrNull,
    /** The cost of the payment, or the amount that was collected; null where several differ in currency. */
    input_amount: amountOrNull,
    input_currency: textOrNull,
    output_amount: amountOrNull,
    output_currency: textOrNull,
    /** Units of the output currency for one of this. */
    rate: textOrNull,
    /** The part of the mid-market rate of the day of the payment that was not given, such as 0.01; null where the books did not see that rate. */
    margin: textOrNull,
    /** The same in money of the input currency, rounded half up to its decimals. */
    margin_amount: amountOrNull,
    /** Null where no payment, or payments of both directions, moved the balance. */
    direction: z.nullable(direction),
    /** The amount of each recipient, where one movement pays several; else null. */
    recipients: z.nullable(z.array(paid)),
    /** The closed month, such as 2026-10, whose payment this is of; null where that month was open when it came. */
    corrects: textOrNull,
  }),
);

export const statementTotalsShape = shape(
  'statement_totals',
  own({
    currency: text,
    /** Null if it was not seen: the books began later. */
    opening: amountOrNull,
    /** The sum that was paid from the balance. */
    gross: amount,
    refunded: amount,
    /** `gross` less `refunded`. */
    net: amount,
    collected: amount,
    /** The sum by which movements of closed months came to something else since. */
    corrected: amount,
    unexplained: amount,
    /** Null where the balance was first seen after this time. */
    closing: amountOrNull,
    movements: number,
    /** `closing` less `opening` and all that moved: anything but 0 is an error. */
    difference: amount,
    /** When the balance was first seen, where that was after the beginning: from then on the lines prove themselves. Null elsewhere. */
    first_seen: timeOrNull,
    /** The costs of what was paid, less those of what was refunded in this time; nothing of collections. */
    ...costs,
  }),
);

export const summaryShape = shape(
  'summary',
  own({
    /** Null where the records do not say it. */
    group: textOrNull,
    input_currency: textOrNull,
    output_currency: textOrNull,
    payouts: number,
    /** The number of payments that were funded; the amounts are of these. */
    funded: number,
    /** The cost of these. */
    input_amount: amount,
    refunded: amount,
    /** The cost of these, less the money that was refunded. */
    net: amount,
    paid: number,
    /** The amount that arrived of those that were paid. */
    output_amount: amount,
    /** Refused at least once, as far as the books saw. */
    refused: number,
    /** The part, of those that were paid or refused, that was paid and never refused, such as 0.9833. */
    first_try: textOrNull,
    /** From the creation until it was paid, in whole seconds. */
    median_seconds: numberOrNull,
    /** Collections and payouts are never in one row. */
    direction,
    /** The costs of payments that were funded and did not come back. */
    ...costs,
  }),
);

/** The money of payments that came in by the end of a day and had not gone out or back then. */
export const IN_FLIGHT_KINDS = ['not_paid', 'refund_due', 'not_credited'] as const;
export const AGES = ['under_1_day', '1_to_7_days', '7_to_30_days', 'over_30_days'] as const;

export const inFlightShape = shape(
  'in_flight',
  own({
    /** The currency that was paid in; of a collection, the one that is to be credited. */
    currency: text,
    /** `refund_due`: seen called off by then, and not back. `not_credited`: a collection that came in. */
    kind: z.enum(IN_FLIGHT_KINDS),
    /** Says whether it was paid from a balance, or paid in by a payer. */
    source: z.enum(['balance', 'payin']),
    /** The time since it was funded. */
    age: z.enum(AGES),
    payouts: number,
    amount,
    /** When the oldest of them was funded. */
    oldest_at: time,
  }),
);

export const dayBalanceShape = shape(
  'day_balance',
  own({
    currency: text,
    /** All that came in and no payment explains: the first balance, top-ups. */
    came_in: amount,
    collected: amount,
    /** Sums over the records of payouts from this balance, by how each stood then. */
    paid: amount,
    not_paid: amount,
    refund_due: amount,
    /** The balance as it was seen, moved by the movements that the books added up; null where it was not yet seen. */
    balance: amountOrNull,
    /** `balance` less what the members before it come to: anything but 0 is an error. */
    difference: amountOrNull,
  }),
);

export const reportShape = shape(
  'report',
  own({ path: text, month: textOrNull, type: textOrNull, environment: textOrNull }),
);
/** A report that was written to a file. */
export const reportFileShape = shape('report_file', own({ path: text, bytes: number, report: text }));
