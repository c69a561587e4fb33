/** Documents, mandates and proofs of payment (docs/wire.md 9 and 10). */

import * as z from 'zod/mini';
import { members } from '../personal.ts';
import { fieldErrors, map, openWord, text, writtenMap } from './common.ts';

export const document = z.looseObject(
  members({
    id: text,
    upload: text,
    url: text,
    upload_file_name: text,
    upload_content_type: text,
    upload_file_size: z.nullish(z.number()),
    category: text,
    side: text,
    document_type: text,
    issuing_country: text,
    document_id: text,
    expiry_date: text,
    source: text,
    metadata: map,
    errors: fieldErrors,
  }),
);
export type Document = z.output<typeof document>;

export const documentWrite = z.strictObject({
  upload: z.string(),
  upload_file_name: z.string(),
  upload_content_type: z.optional(z.string()),
  upload_file_size: z.optional(z.number()),
  document_type: z.optional(z.string()),
  document_id: z.optional(z.string()),
  side: z.optional(z.enum(['front', 'back'])),
  expiry_date: z.optional(z.string()),
  source: z.optional(z.string()),
  metadata: z.optional(writtenMap),
});
export type DocumentWrite = z.output<typeof documentWrite>;
export const documentRequest = z.strictObject({ document: documentWrite });

export const mandateStatuses = ['pending', 'notified', 'signed', 'failed', 'bypassed'] as const;

export const mandate = z.looseObject(
  members({
    id: z.string(),
    status: openWord<(typeof mandateStatuses)[number]>(),
    type_id: z.nullish(z.number()),
    reference: text,
    signed_at: text,
    created_at: text,
    updated_at: text,
  }),
);
export type Mandate = z.output<typeof mandate>;

export const proofOfPayment = z.looseObject(
  members({ id: text, file_name: text, url: text, thumbnail: text }),
);
export type ProofOfPayment = z.output<typeof proofOfPayment>;
