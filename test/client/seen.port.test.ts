import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../support/open-store.ts';
import { diskStore, standingClock } from '../support/stores.ts';

const ID = '6f2c1e00-0000-4000-8000-000000000001';
const OTHER = '6f2d1e00-0000-4000-8000-000000000002';

describe('ids seen', () => {
  let store: Store;
  beforeEach(async () => {
    store = await diskStore(standingClock());
  });
  afterEach(() => store.close());

  it('finds what it was told, in the same scope only', () => {
    store.seen.remember('acme', [{ kind: 'recipient', id: ID, transactionId: 't-1' }]);
    expect(store.seen.find('acme', ID)).toEqual({ kind: 'recipient', id: ID, transactionId: 't-1' });
    expect(store.seen.find('other', ID)).toBeUndefined();
    expect(store.seen.find('acme', OTHER)).toBeUndefined();
  });

  it('adds what is newly known and does not forget what an answer leaves out', () => {
    store.seen.remember('acme', [{ kind: 'transaction', id: ID, externalId: 'T-1' }]);
    store.seen.remember('acme', [{ kind: 'transaction', id: ID, transactionId: ID }]);
    expect(store.seen.find('acme', ID)).toEqual({
      kind: 'transaction',
      id: ID,
      transactionId: ID,
      externalId: 'T-1',
    });
  });

  it('finds by the beginning of an id, in order, and no more than asked for', () => {
    store.seen.remember('acme', [
      { kind: 'sender', id: OTHER },
      { kind: 'recipient', id: ID },
      { kind: 'webhook', id: 'ffff' },
    ]);
    const ids = (prefix: string, limit = 10) =>
      store.seen.startingWith('acme', prefix, limit).map(({ id }) => id);
    expect(ids('6f2')).toEqual([ID, OTHER]);
    expect(ids('6f2', 1)).toEqual([ID]);
    expect(ids('6f2c')).toEqual([ID]);
    expect(ids('%')).toEqual([]);
    expect(ids('')).toHaveLength(3);
  });

  it('takes an empty list', () => {
    store.seen.remember('acme', []);
    expect(store.seen.startingWith('acme', '', 1)).toEqual([]);
  });
});
