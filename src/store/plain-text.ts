import type { ReceivedDelivery } from '../core/ports/inbox.ts';

type Texts = Pick<ReceivedDelivery, 'webhook' | 'event' | 'objectId' | 'transactionId' | 'url'>;

const NUL = /\0/g;

/** Neither engine keeps a NUL within a text. The body is bytes, and has it still. */
export function withoutNul<T extends Texts>(delivery: T): T {
  const { webhook, event, objectId, transactionId, url } = delivery;
  if (!`${webhook}${event}${objectId}${transactionId}${url}`.includes('\0')) return delivery;
  const plain = (text: string): string => text.replace(NUL, '\ufffd');
  return {
    ...delivery,
    webhook: plain(webhook),
    event: plain(event),
    objectId: plain(objectId),
    transactionId: transactionId === null ? null : plain(transactionId),
    url: plain(url),
  };
}
