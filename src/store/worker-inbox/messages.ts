/** What the two threads of an inbox say to each other. */
import { invariant } from '../../core/invariants.ts';
import type { Claim, Inbox, Keeping } from '../../core/ports/inbox.ts';
import { StoreError, type StoreErrorKind } from '../../files/store-error.ts';
import { packKept, unpackKept } from '../packing.ts';

export interface Opening {
  path: string;
  account: string;
  seed: string;
  now: number;
}

export type Method = Exclude<keyof Inbox, 'inOrder' | 'lost'>;

/** `now` is the caller's time, which counts until the next message. */
export interface Call {
  call: number;
  now: number;
  method: Method;
  args: unknown[];
}

export type Reply = { call: number; result: unknown } | { call: number; failure: Problem };

/** What crosses packed; everything else is copied by the runtime. */
export interface PackedClaim {
  packed: Uint8Array;
  nextInMs: number | null;
}

export const packClaim = ({ deliveries, nextInMs }: Claim): PackedClaim => ({
  packed: packKept(deliveries),
  nextInMs,
});

export const unpackClaim = ({ packed, nextInMs }: PackedClaim): Claim => ({
  deliveries: unpackKept(packed),
  nextInMs,
});

const ID_LENGTH = 36;
const KEEPING_LENGTH = ID_LENGTH + 1;

/** A letter and an id for each. */
export function packKeepings(keepings: readonly Keeping[]): string {
  let text = '';
  for (const { outcome, id, repeat } of keepings)
    text += (outcome === 'duplicate' ? 'd' : repeat ? 'r' : 'n') + id;
  invariant(text.length === keepings.length * KEEPING_LENGTH, 'every delivery has an id');
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

export interface Problem {
  message: string;
  stack: string | undefined;
  store?: { kind: StoreErrorKind; path: string; detail: string };
}

export function packFailure(error: unknown): Problem {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  if (!(error instanceof StoreError)) return { message, stack };
  const { kind, path, detail } = error;
  return { message, stack, store: { kind, path, detail } };
}

export function unpackFailure({ message, stack, store }: Problem): Error {
  const error = store ? new StoreError(store.kind, store.path, store.detail) : new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
