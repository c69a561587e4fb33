/**
 * Deliveries between two threads. One text, one array of numbers and one of bytes are handed over as they are; objects would be
 * copied piece by piece, which costs the sender more than everything else (bench: 2 µs a delivery instead of 5).
 */
import type { KeptDelivery, ReceivedDelivery } from '../../core/ports/inbox.ts';

export interface Packed {
  text: string;
  numbers: ArrayBuffer;
  bytes: ArrayBuffer;
}

export interface Packer {
  text(value: string | null): void;
  number(value: number): void;
  bytes(value: Uint8Array): void;
  done(): Packed;
}

const NULL = -1;

export function packer(): Packer {
  let text = '';
  const numbers: number[] = [];
  const parts: Uint8Array[] = [];
  return {
    text(value) {
      numbers.push(value === null ? NULL : value.length);
      if (value !== null) text += value;
    },
    number: (value) => numbers.push(value),
    bytes(value) {
      numbers.push(value.length);
      parts.push(value);
    },
    done: () => ({ text, numbers: new Float64Array(numbers).buffer, bytes: joined(parts) }),
  };
}

/** A buffer of its own: one from the pool cannot be handed over. */
function joined(parts: readonly Uint8Array[]): ArrayBuffer {
  let length = 0;
  for (const part of parts) length += part.length;
  const all = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all.buffer as ArrayBuffer;
}

export interface Unpacker {
  text(): string;
  textOrNull(): string | null;
  number(): number;
  bytes(): Uint8Array;
}

/** Takes them out in the order in which they were put in. */
export function unpacker({ text, numbers, bytes }: Packed): Unpacker {
  const values = new Float64Array(numbers);
  let [value, char, byte] = [0, 0, 0];
  const number = () => values[value++] ?? 0;
  const textOrNull = () => {
    const length = number();
    if (length === NULL) return null;
    char += length;
    return text.slice(char - length, char);
  };
  return {
    number,
    textOrNull,
    text: () => textOrNull() ?? '',
    bytes() {
      const length = number();
      byte += length;
      return new Uint8Array(bytes, byte - length, length);
    },
  };
}

export function packReceived(to: Packer, delivery: ReceivedDelivery): void {
  to.text(delivery.webhook);
  to.text(delivery.event);
  to.text(delivery.objectId);
  to.text(delivery.transactionId);
  to.text(delivery.deliveryPrint);
  to.text(delivery.eventPrint);
  to.text(delivery.url);
  to.number(delivery.receivedAt);
  to.number((delivery.recovered ? 1 : 0) | (delivery.late ? 2 : 0));
  to.number(delivery.headers.length);
  for (const [name, value] of delivery.headers) {
    to.text(name);
    to.text(value);
  }
  to.bytes(delivery.body);
}

export function unpackReceived(from: Unpacker): ReceivedDelivery {
  const texts = {
    webhook: from.text(),
    event: from.text(),
    objectId: from.text(),
    transactionId: from.textOrNull(),
    deliveryPrint: from.text(),
    eventPrint: from.text(),
    url: from.text(),
  };
  const receivedAt = from.number();
  const marks = from.number();
  const headers = Array.from({ length: from.number() }, (): [string, string] => [from.text(), from.text()]);
  const body = from.bytes();
  return { ...texts, receivedAt, recovered: (marks & 1) !== 0, late: (marks & 2) !== 0, headers, body };
}

export function packKept(to: Packer, delivery: KeptDelivery): void {
  packReceived(to, delivery);
  to.text(delivery.id);
  to.text(delivery.state);
  to.text(delivery.answer);
  to.number(delivery.repeat ? 1 : 0);
  to.number(delivery.attempts);
  to.number(delivery.changedAt);
}

export function unpackKept(from: Unpacker): KeptDelivery {
  return {
    ...unpackReceived(from),
    id: from.text(),
    state: from.text() as KeptDelivery['state'],
    answer: from.textOrNull(),
    repeat: from.number() === 1,
    attempts: from.number(),
    changedAt: from.number(),
  };
}
