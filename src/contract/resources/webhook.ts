/** Webhook definitions and the envelope of a delivery (docs/wire.md 12). */

import * as z from 'zod/mini';
import { members } from '../personal.ts';
import { fieldErrors, map, wireText, writtenMap } from './common.ts';

export const webhookDefinition = z.looseObject(
  members({
    id: wireText,
    url: wireText,
    events: z.nullish(z.array(z.string())),
    metadata: map,
    errors: fieldErrors,
  }),
);
export type WebhookDefinition = z.output<typeof webhookDefinition>;

export const webhookRequest = z.strictObject({
  webhook: z.strictObject({
    url: z.string(),
    events: z.array(z.string()),
    metadata: z.optional(writtenMap),
  }),
});

/** `{webhook: <definition id>, event, object}`. */
export const delivery = z.looseObject(
  members({
    webhook: z.string(),
    event: z.string(),
    object: z.looseObject({ id: wireText }),
  }),
);
export type Delivery = z.output<typeof delivery>;
