/** Payin and payout methods (docs/wire.md 9 and 11). */

import * as z from 'zod/mini';
import { members } from '../personal.ts';
import type { PayinMethodState } from '../states/payin-method.ts';
import { fieldErrors, map, openWord, stateReasonDetails, wireText, writtenMap } from './common.ts';
import { fields } from './info.ts';

/** A stored payout method may be switched off, and not on again. */
export const payoutMethodStates = ['enabled', 'disabled'] as const;

export const payoutMethod = z.looseObject(
  members({
    id: wireText,
    type: wireText,
    details: map,
    metadata: map,
    provider: wireText,
    state: openWord<(typeof payoutMethodStates)[number]>(),
    fields,
    errors: fieldErrors,
  }),
);

export type PayoutMethod = z.output<typeof payoutMethod>;

export const payoutMethodWrite = z.strictObject({
  id: z.optional(z.string()),
  type: z.optional(z.string()),
  details: z.optional(z.record(z.string(), z.unknown())),
  metadata: z.optional(writtenMap),
});
export type PayoutMethodWrite = z.output<typeof payoutMethodWrite>;
export const payoutMethodRequest = z.strictObject({ payout_method: payoutMethodWrite });

export const payinMethod = z.looseObject(
  members({
    id: wireText,
    type: wireText,
    ux_flow: wireText,
    in_details: map,
    out_details: map,
    instructions: map,
    state: openWord<PayinMethodState>(),
    state_reason_details: stateReasonDetails,
    payin_reference: wireText,
    external_id: wireText,
    transaction_id: wireText,
    transaction_external_id: wireText,
    fields,
    errors: fieldErrors,
  }),
);

export type PayinMethod = z.output<typeof payinMethod>;

export const payinMethodWrite = z.strictObject({
  type: z.optional(z.string()),
  ux_flow: z.optional(z.string()),
  in_details: z.optional(z.record(z.string(), z.unknown())),
});
export type PayinMethodWrite = z.output<typeof payinMethodWrite>;
export const payinMethodRequest = z.strictObject({ payin_method: payinMethodWrite });
