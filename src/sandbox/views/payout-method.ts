import type { PayoutMethodRecord, Plain, RecipientRecord } from '../store/records.ts';

/** The word for who pays out: there is one provider in a sandbox. @assumes provider-name */
export const PROVIDER = 'sandbox';

export function payoutMethodJson(recipient: RecipientRecord): Plain {
  return {
    id: recipient.payoutMethodId,
    type: recipient.payoutType,
    details: recipient.details,
    metadata: recipient.payoutMetadata,
    provider: PROVIDER,
  };
}

export function storedMethodJson({ id, type, details, metadata, state }: PayoutMethodRecord): Plain {
  return { id, type, details, metadata, provider: PROVIDER, state };
}
