/** Plans that an agent prepared. */
import * as z from 'zod/mini';
import { own, shape, text, textOrNull, texts, time } from '../frame/shape.ts';
import { WISH_KINDS } from './store/port.ts';

export const preparedShape = shape(
  'prepared',
  own({
    handle: text,
    kind: z.enum(WISH_KINDS),
    /** `not_applied`: it cannot be carried out any more. `taken`: its reference belongs to another payment. Null in a list, which asks the service for nothing. */
    state: z.nullable(
      z.enum(['planned', 'expired', 'under_way', 'applied', 'not_applied', 'unknown', 'taken']),
    ),
    summary: text,
    by: text,
    created_at: time,
    /** Until then it can be carried out. */
    until: time,
    /** Payments and plans that an agent declared this one not to be. */
    not_the_same_as: texts,
    /** The state of the payment, the payout or the run. */
    now: textOrNull,
    transaction_id: textOrNull,
    lines: texts,
  }),
);
