/**
 * What may follow what, written by hand from the service's description and kept apart from the tables of `src/contract`:
 * two mistakes must not agree. Staying in a state is always allowed, but for leaving an end.
 */

type Table = Readonly<Record<string, readonly string[]>>;

const words = (text: string): string[] => text.split(' ').filter((word) => word !== '');
const table = (rows: Record<string, string>): Table =>
  Object.fromEntries(Object.entries(rows).map(([from, to]) => [from, words(to)]));

const transaction = table({
  initial: 'approved canceled exception',
  approved: 'received pending mispaid canceled exception',
  pending: 'approved received mispaid canceled exception',
  received: 'processing manual paid refunded canceled exception',
  mispaid: 'processing manual paid refunded canceled exception',
  processing: 'received paid refunded canceled exception',
  manual: 'received paid refunded canceled exception',
  exception: 'received paid refunded canceled',
  canceled: 'manual refunded',
  paid: '',
  refunded: '',
});

const recipient = table({
  initial: 'pending error canceled success exception',
  pending: 'success error stuck overpaid canceled exception',
  error: 'pending success manual canceled exception',
  manual: 'pending error canceled success exception',
  stuck: 'success error overpaid canceled exception',
  exception: 'pending success canceled',
  canceled: 'refunded',
  success: '',
  overpaid: '',
  refunded: '',
});

const payin_method = table({
  incomplete: 'initial canceled success',
  initial: 'incomplete pending error canceled success exception',
  pending: 'processing success mispaid error canceled exception',
  processing: 'success mispaid error canceled exception',
  error: 'initial canceled success',
  success: 'canceled',
  mispaid: 'canceled',
  exception: 'canceled',
  canceled: 'refunded',
  refunded: '',
});

const sender = table({
  initial: 'verified approved rejected incomplete banned disabled',
  incomplete: 'initial verified approved rejected banned disabled',
  verified: 'approved rejected incomplete banned disabled',
  approved: 'rejected banned disabled',
  rejected: 'initial approved banned disabled',
  banned: 'approved disabled',
  disabled: '',
});

const tables: Readonly<Record<Kind, Table>> = { transaction, recipient, payin_method, sender };

export type Kind = 'transaction' | 'recipient' | 'payin_method' | 'sender';

export const kinds = Object.keys(tables) as Kind[];

export const statesOf = (kind: Kind): string[] => Object.keys(tables[kind]);

export function isEnd(kind: Kind, state: string): boolean {
  return tables[kind][state]?.length === 0;
}

/** In one step. */
export function mayFollow(kind: Kind, from: string, to: string): boolean {
  return from === to ? statesOf(kind).includes(to) : (tables[kind][from] ?? []).includes(to);
}

/** In any number of steps: for two looks with unknown things between them. */
export function mayReach(kind: Kind, from: string, to: string): boolean {
  const seen = new Set([from]);
  for (const state of seen) for (const next of tables[kind][state] ?? []) seen.add(next);
  return seen.has(to);
}

/** Where each kind may begin. */
const beginnings: Readonly<Record<Kind, readonly string[]>> = {
  transaction: ['initial', 'approved'],
  recipient: ['initial'],
  payin_method: ['initial', 'incomplete'],
  sender: ['initial', 'approved'],
};

export const mayBegin = (kind: Kind, state: string): boolean => beginnings[kind].includes(state);
