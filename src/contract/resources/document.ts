/** Documents, mandates and proofs of payment (docs/wire.md 9 and 10). */

import * as z from 'zod/mini';
import { members } from '../personal.ts';
import { fieldErrors, map, openWord, wireText, writtenMap } from './common.ts';

export const document = z.looseObject(
  members({
    id: wireText,
    upload: wireText,
    url: wireText,
    upload_file_name: wireText,
    upload_content_type: wireText,
    upload_file_size: z.nullish(z.number()),
    category: wireText,
    side: wireText,
    document_type: wireText,
    issuing_country: wireText,
    document_id: wireText,
    expiry_date: wireText,
    source: wireText,
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
    reference: wireText,
    signed_at: wireText,
    created_at: wireText,
    updated_at: wireText,
  }),
);
export type Mandate = z.output<typeof mandate>;

export const proofOfPayment = z.looseObject(
  members({ id: wireText, file_name: wireText, url: wireText, thumbnail: wireText }),
);
export type ProofOfPayment = z.output<typeof proofOfPayment>;
