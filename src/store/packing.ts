/**
 * Many deliveries in one piece of memory: it crosses to another thread as it is, and is kept as it is on arrival. Objects would be
 * copied member by member, and rows written value by value, which costs more than everything else about them (bench/README.md).
 *
 * For each delivery the length of its head and of its body (32 bits each, little-endian), the head, which is a JSON array, and the
 * body. It stands in files: another form of it is for another table.
 */
import { asBuffer } from '../core/bytes.ts';
import type { KeptDelivery, ReceivedDelivery } from '../core/ports/inbox.ts';

const LENGTHS = 8;

type Head = readonly unknown[];

function pack<T extends { body: Uint8Array }>(items: readonly T[], headOf: (item: T) => Head): Uint8Array {
  const heads = items.map((item) => JSON.stringify(headOf(item)));
  const lengths = heads.map((head) => Buffer.byteLength(head));
  let size = 0;
  for (let i = 0; i < items.length; i++) size += LENGTHS + (lengths[i] ?? 0) + (items[i]?.body.length ?? 0);
  // Not out of Node's pool: what other buffers share cannot be handed over.
  const packed = Buffer.allocUnsafeSlow(size);
  let at = 0;
  for (let i = 0; i < items.length; i++) {
    const { body } = items[i] as T;
    at = packed.writeUInt32LE(lengths[i] ?? 0, at);
    at = packed.writeUInt32LE(body.length, at);
    at += packed.write(heads[i] ?? '', at, 'utf8');
    packed.set(body, at);
    at += body.length;
  }
  return packed;
}

/** Bodies are parts of the given memory. */
function unpack<T>(packed: Uint8Array, read: (head: Head, body: Uint8Array) => T): T[] {
  const bytes = asBuffer(packed);
  const items: T[] = [];
  for (let at = 0; at < bytes.length; ) {
    const head = at + LENGTHS;
    const body = head + bytes.readUInt32LE(at);
    const end = body + bytes.readUInt32LE(at + 4);
    items.push(read(JSON.parse(bytes.toString('utf8', head, body)), bytes.subarray(body, end)));
    at = end;
  }
  return items;
}

/** By what it is known again stands elsewhere. */
export type UnpackedDelivery = Omit<ReceivedDelivery, 'deliveryPrint' | 'eventPrint'>;

/** Only those of these places, as they are. */
export function packedOnly(packed: Uint8Array, isWanted: (index: number) => boolean): Uint8Array {
  const bytes = asBuffer(packed);
  const parts: Uint8Array[] = [];
  for (let at = 0, index = 0; at < bytes.length; index++) {
    const end = at + LENGTHS + bytes.readUInt32LE(at) + bytes.readUInt32LE(at + 4);
    if (isWanted(index)) parts.push(bytes.subarray(at, end));
    at = end;
  }
  return Buffer.concat(parts);
}

const headOf = (delivery: UnpackedDelivery): Head => [
  delivery.webhook,
  delivery.event,
  delivery.objectId,
  delivery.transactionId,
  delivery.url,
  delivery.receivedAt,
  delivery.recovered,
  delivery.late,
  delivery.headers,
];

function read(head: Head, body: Uint8Array): UnpackedDelivery {
  const [webhook, event, objectId, transactionId, url, receivedAt, recovered, late, headers] = head;
  const texts = { webhook, event, objectId, transactionId, url };
  return { ...texts, receivedAt, recovered, late, headers, body } as UnpackedDelivery;
}

/** What is decided about a batch at once is beside it: by what each delivery is known again. */
export interface PackedBatch {
  /** For each delivery its two prints, 64 hex digits. */
  prints: string;
  packed: Uint8Array;
}

export function packBatch(deliveries: readonly ReceivedDelivery[]): PackedBatch {
  let prints = '';
  for (const { deliveryPrint, eventPrint } of deliveries) prints += deliveryPrint + eventPrint;
  return { prints, packed: pack(deliveries, headOf) };
}

export const unpackBatch = (packed: Uint8Array): UnpackedDelivery[] => unpack(packed, read);

export const packKept = (deliveries: readonly KeptDelivery[]): Uint8Array =>
  pack(deliveries, (delivery) => [
    delivery.id,
    delivery.state,
    delivery.repeat,
    delivery.attempts,
    delivery.answer,
    delivery.changedAt,
    delivery.deliveryPrint,
    delivery.eventPrint,
    ...headOf(delivery),
  ]);

export const unpackKept = (packed: Uint8Array): KeptDelivery[] =>
  unpack(
    packed,
    ([id, state, repeat, attempts, answer, changedAt, deliveryPrint, eventPrint, ...head], body) => {
      const kept = { id, state, repeat, attempts, answer, changedAt, deliveryPrint, eventPrint };
      return { ...read(head, body), ...kept } as KeptDelivery;
    },
  );
