/** API logs and webhook logs (docs/wire.md 12). */

import * as z from 'zod/mini';
import { members } from '../personal.ts';
import { looseText, map, wireText } from './common.ts';

const headerMap = z.nullish(z.record(z.string(), z.unknown()));

export const apiLog = z.looseObject(
  members({
    id: z.string(),
    request_method: wireText,
    request_url: wireText,
    request_body: wireText,
    request_headers: headerMap,
    response_status: looseText,
    response_body: wireText,
    response_headers: headerMap,
    created_at: wireText,
  }),
);
export type ApiLog = z.output<typeof apiLog>;

export const webhookLog = z.looseObject(
  members({
    id: z.string(),
    message: wireText,
    created_at: wireText,
    parent_id: wireText,
    parent_type: wireText,
    metadata: z.nullish(
      z.looseObject({
        params: map,
        event: wireText,
        instance_id: wireText,
        instance_type: wireText,
        attempt_id: wireText,
        tries: z.nullish(z.number()),
        request: z.nullish(z.looseObject({ url: wireText, headers: headerMap, body: wireText })),
        response: z.nullish(z.looseObject({ status: looseText, headers: headerMap, body: wireText })),
        app_id: wireText,
        api_key_id: wireText,
      }),
    ),
  }),
);
export type WebhookLog = z.output<typeof webhookLog>;
