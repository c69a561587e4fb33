/**
 * Webhook deliveries that we received: each is kept, durably, before it is acknowledged. Signatures and nonces are not kept.
 */
export interface ReceivedDelivery {
  /** The webhook definition's id, the event's name and the id of its object, as the body says. */
  webhook: string;
  event: string;
  objectId: string;
  /** SHA-512 of the raw body, hex. */
  bodyDigest: string;
  /** The raw body, byte for byte. */
  body: Uint8Array;
  /** The address it was sent to, as it was verified. */
  url: string;
}

export interface KeptDelivery extends ReceivedDelivery {
  id: string;
  receivedAt: number;
}

export interface Inbox {
  /**
   * Durable when it returns. A delivery with the same webhook, event, object and body is a duplicate of the earlier one,
   * whose id is given.
   */
  keep(delivery: ReceivedDelivery): { outcome: 'new' | 'duplicate'; id: string };
  get(id: string): KeptDelivery | undefined;
  /** Newest first. */
  list(filter?: { event?: string | undefined; limit?: number | undefined }): KeptDelivery[];
}
