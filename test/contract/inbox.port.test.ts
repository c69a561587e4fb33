import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReceivedDelivery } from '../../src/core/ports/inbox.ts';
import type { Store } from '../../src/store/open.ts';
import { type StandingClock, standingClock, storeMakers } from '../support/stores.ts';

const delivery = (over: Partial<ReceivedDelivery> = {}): ReceivedDelivery => ({
  webhook: 'w-1',
  event: 'recipient.error',
  objectId: 'r-1',
  bodyDigest: 'abc',
  body: new Uint8Array([123, 0, 255, 125]),
  url: 'https://partner.example/hooks',
  ...over,
});

describe.each(storeMakers)('the inbox %s', (_name, make) => {
  let clock: StandingClock;
  let store: Store;
  beforeEach(async () => {
    clock = standingClock();
    store = await make(clock);
  });
  afterEach(() => store.close());

  it('keeps a delivery byte for byte, with the time it came', () => {
    const { outcome, id } = store.inbox.keep(delivery());
    expect(outcome).toBe('new');
    const kept = store.inbox.get(id);
    expect(kept).toMatchObject({ id, receivedAt: clock.now(), event: 'recipient.error', objectId: 'r-1' });
    expect([...(kept?.body ?? [])]).toEqual([123, 0, 255, 125]);
    expect(store.inbox.get('no such id')).toBeUndefined();
  });

  it('names the earlier one when the same comes again', () => {
    const first = store.inbox.keep(delivery());
    clock.advance(60_000);
    expect(store.inbox.keep(delivery())).toEqual({ outcome: 'duplicate', id: first.id });
    expect(store.inbox.list()).toHaveLength(1);
    expect(store.inbox.get(first.id)?.receivedAt).toBe(clock.now() - 60_000);
  });

  it('takes another webhook, event, object or body for another delivery', () => {
    store.inbox.keep(delivery());
    const others = [
      { webhook: 'w-2' },
      { event: 'recipient.pending' },
      { objectId: 'r-2' },
      { bodyDigest: 'd' },
    ];
    for (const other of others) expect(store.inbox.keep(delivery(other)).outcome).toBe('new');
  });

  it('lists the newest first, by event, and no more than asked for', () => {
    const ids = ['r-1', 'r-2', 'r-3'].map((objectId) => store.inbox.keep(delivery({ objectId })).id);
    const paid = store.inbox.keep(delivery({ event: 'transaction.paid_out' })).id;
    expect(store.inbox.list().map(({ id }) => id)).toEqual([paid, ...[...ids].reverse()]);
    expect(store.inbox.list({ event: 'recipient.error', limit: 2 }).map(({ id }) => id)).toEqual([
      ids[2],
      ids[1],
    ]);
  });
});
