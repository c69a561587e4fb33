/** What the two threads of an inbox say to each other. */
import type { Claim, Inbox, Keeping, ReceivedDelivery } from '../../core/ports/inbox.ts';
import { StoreError, type StoreErrorKind } from '../error.ts';
import {
  type Packed,
  packer,
  packKept,
  packReceived,
  unpacker,
  unpackKept,
  unpackReceived,
} from './packing.ts';

export interface Opening {
  path: string;
  account: string;
  seed: string;
  now: number;
}

export type Method = Exclude<keyof Inbox, 'inOrder'>;

/** `now` is the caller's time, which counts until the next message. */
export interface Call {
  call: number;
  now: number;
  method: Method;
  args: unknown[];
}

export type Reply = { call: number; result: unknown } | { call: number; failure: Failure };

/** What crosses packed; everything else is copied by the runtime. */
export interface PackedBatch extends Packed {
  count: number;
}

export function packBatch(deliveries: readonly ReceivedDelivery[]): PackedBatch {
  const to = packer();
  for (const delivery of deliveries) packReceived(to, delivery);
  return { count: deliveries.length, ...to.done() };
}

export function unpackBatch(batch: PackedBatch): ReceivedDelivery[] {
  const from = unpacker(batch);
  return Array.from({ length: batch.count }, () => unpackReceived(from));
}

export interface PackedClaim extends PackedBatch {
  nextInMs: number | null;
}

export function packClaim({ deliveries, nextInMs }: Claim): PackedClaim {
  const to = packer();
  for (const delivery of deliveries) packKept(to, delivery);
  return { nextInMs, count: deliveries.length, ...to.done() };
}

export function unpackClaim(claim: PackedClaim): Claim {
  const from = unpacker(claim);
  return {
    deliveries: Array.from({ length: claim.count }, () => unpackKept(from)),
    nextInMs: claim.nextInMs,
  };
}

const ID_LENGTH = 36;
const KEEPING_LENGTH = ID_LENGTH + 1;

/** A letter and an id for each. */
export function packKeepings(keepings: readonly Keeping[]): string {
  let text = '';
  for (const { outcome, id, repeat } of keepings)
    text += (outcome === 'duplicate' ? 'd' : repeat ? 'r' : 'n') + id;
  return text;
}

export function unpackKeepings(text: string): Keeping[] {
  return Array.from({ length: text.length / KEEPING_LENGTH }, (_, i) => {
    const at = i * KEEPING_LENGTH;
    return {
      outcome: text[at] === 'd' ? 'duplicate' : 'new',
      id: text.slice(at + 1, at + KEEPING_LENGTH),
      repeat: text[at] === 'r',
    };
  });
}

export interface Failure {
  message: string;
  stack: string | undefined;
  store?: { kind: StoreErrorKind; path: string; detail: string };
}

export function packFailure(error: unknown): Failure {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  if (!(error instanceof StoreError)) return { message, stack };
  const { kind, path, detail } = error;
  return { message, stack, store: { kind, path, detail } };
}

export function unpackFailure({ message, stack, store }: Failure): Error {
  const error = store ? new StoreError(store.kind, store.path, store.detail) : new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
