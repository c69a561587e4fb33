/** API logs and webhook logs (docs/wire.md 12). */

import * as z from 'zod/mini';
import { members } from '../personal.ts';
import { looseText, map, text } from './common.ts';

const headerMap = z.nullish(z.record(z.string(), z.unknown()));

export const apiLog = z.looseObject(
  members({
    id: z.string(),
    request_method: text,
    request_url: text,
    request_body: text,
    request_headers: headerMap,
    response_status: looseText,
    response_body: text,
    response_headers: headerMap,
    created_at: text,
  }),
);
export type ApiLog = z.output<typeof apiLog>;

export const webhookLog = z.looseObject(
  members({
    id: z.string(),
    message: text,
    created_at: text,
    parent_id: text,
    parent_type: text,
    metadata: z.nullish(
      z.looseObject({
        params: map,
        event: text,
        instance_id: text,
        instance_type: text,
        attempt_id: text,
        tries: z.nullish(z.number()),
        request: z.nullish(z.looseObject({ url: text, headers: headerMap, body: text })),
        response: z.nullish(z.looseObject({ status: looseText, headers: headerMap, body: text })),
        app_id: text,
        api_key_id: text,
      }),
    ),
  }),
);
export type WebhookLog = z.output<typeof webhookLog>;
