/** Facts about the service: balances, currencies, methods, corridors, its log, and checks against its demands. */
import * as z from 'zod/mini';
import { account, partnerBalance } from '../../contract/resources/account.ts';
import { currencyExchange, paymentMethod } from '../../contract/resources/info.ts';
import { apiLog } from '../../contract/resources/log.ts';
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
  wire,
  yesNo,
} from '../../frame/shape.ts';

/** `seen_at` with `--watch`: when this look was. */
export const balanceShape = shape('balance', wire(account, { seen_at: z.optional(time) }), ['seen_at']);
/** The balance here, and what is held at a provider. */
export const partnerBalanceShape = shape(
  'partner_balance',
  own({ currency: text, account: z.nullable(account), partner: z.nullable(partnerBalance) }),
);
export const balanceCheckShape = shape(
  'balance_check',
  own({
    currency: text,
    /** Null where the account holds no such currency. */
    amount: amountOrNull,
    at_least: amount,
    short_by: amount,
    enough: yesNo,
  }),
);

export const currencyShape = shape('currency', currencyExchange);
export const rateShape = shape(
  'rate',
  own({
    from: text,
    to: text,
    rate: textOrNull,
    mid_rate: textOrNull,
    margin: textOrNull,
    /** Decimals of the currency that arrives. */
    decimals: numberOrNull,
    /** The amount that was asked about; null where none was. */
    input_amount: amountOrNull,
    /** The amount that it would become now, rounded as it is paid; null without an amount or a rate. */
    output_amount: amountOrNull,
  }),
);

const way = z.enum(['in', 'out']);
export const methodShape = shape('payment_method', wire(paymentMethod, { direction: way }));
export const methodFieldShape = shape(
  'payment_method_field',
  own({
    field: text,
    required: yesNo,
    control: text,
    /** Code to label. */
    options: z.record(text, z.unknown()),
    format: textOrNull,
  }),
);

export const apiLogShape = shape('api_log', apiLog);

/** One of the service's demands as it was judged, as far as the log was read. */
export const onboardingShape = shape(
  'onboarding_check',
  own({
    check: text,
    verdict: z.enum(['pass', 'fail', 'no_evidence']),
    says: text,
    counts: z.readonly(z.record(text, number)),
    examples: z.array(own({ kind: z.enum(['transaction', 'recipient', 'sender']), id: text })),
    next: textOrNull,
    complete: yesNo,
  }),
);
export const pollingShape = shape(
  'polling',
  own({
    /** A kind of reads; one transaction; or what was asked for again and again, such as `/accounts/EUR`. */
    what: text,
    /** Null where all days count together. */
    day: textOrNull,
    reads: number,
    /** Null where it depends on when it was read. */
    at_most: numberOrNull,
    beyond: number,
    /** The id of the transaction. */
    id: textOrNull,
  }),
);
