/** Balances and debits (docs/wire.md 4). */

import * as z from 'zod/mini';
import { members } from '../personal.ts';
import {
  fieldErrors,
  listOf,
  map,
  maybeAmount,
  uuidText,
  wireAmount,
  wireText,
  writtenAmount,
  writtenMap,
} from './common.ts';

export const account = z.looseObject({
  currency: z.string(),
  amount: wireAmount,
  amount_after_pending: maybeAmount,
});
export type Account = z.output<typeof account>;

const accountMeta = z.nullish(z.looseObject({ negative_balance: z.nullish(z.boolean()) }));
export const accountList = z.looseObject({ object: z.array(account), meta: accountMeta });
export const accountSingle = z.looseObject({ object: account, meta: accountMeta });

export const partnerBalance = z.looseObject({
  currency: z.string(),
  available_balance: maybeAmount,
  previous_day_closing_balance: maybeAmount,
  current_balance_date: wireText,
});

export const debit = z.looseObject(
  members({
    id: wireText,
    to_id: wireText,
    to_type: wireText,
    amount: maybeAmount,
    currency: wireText,
    usd_amount: maybeAmount,
    running_balance: maybeAmount,
    metadata: map,
    created_at: wireText,
    errors: fieldErrors,
  }),
);
export type Debit = z.output<typeof debit>;
export const debitList = listOf(debit);

export const debitWrite = z.strictObject({
  to_id: uuidText,
  to_type: z.literal('Transaction'),
  currency: z.optional(z.string()),
  amount: z.optional(writtenAmount),
  metadata: z.optional(writtenMap),
});
export type DebitWrite = z.output<typeof debitWrite>;
export const debitRequest = z.strictObject({ debit: z.union([debitWrite, z.array(debitWrite)]) });
