import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { IntentFilter, Intents, NewIntent } from '../../src/core/ports/intents.ts';
import type { Store } from '../../src/store/open.ts';
import { type StandingClock, standingClock, storeMakers } from '../support/stores.ts';

const intent = (over: Partial<NewIntent> = {}): NewIntent => ({
  command: 'tx create --fund',
  operation: 'transactions.createAndFund',
  profile: 'acme-sandbox',
  environment: 'sandbox',
  baseUrl: 'http://127.0.0.1:4010/v1',
  keyLast4: '3f2a',
  digest: 'd1',
  externalId: 'T-1',
  summary: '25.00 EUR to A… O…',
  request: '{"transaction":{}}',
  ...over,
});

describe.each(storeMakers)('intents %s', (_name, make) => {
  let clock: StandingClock;
  let store: Store;
  let intents: Intents;
  beforeEach(async () => {
    clock = standingClock();
    store = await make(clock);
    intents = store.intents;
  });
  afterEach(() => store.close());

  const open = (over: Partial<NewIntent> = {}) => {
    const result = intents.open(intent(over));
    if (!('opened' in result)) throw new Error('refused');
    return result.opened;
  };
  /** The ids that a judge is shown for a digest. */
  const alike = (digest = 'd1'): string[] => {
    const shown = intents.open(intent({ digest }), (found) => ({ ids: found.map(({ id }) => id) }));
    return 'refused' in shown ? shown.refused.ids : [];
  };

  it('opens one with everything it was given, and reads it back', () => {
    const opened = open();
    expect(opened).toEqual({
      ...intent(),
      id: opened.id,
      state: 'open',
      createdAt: clock.now(),
      updatedAt: clock.now(),
    });
    expect(intents.get(opened.id)).toEqual(opened);
    expect(intents.get('no such id')).toBeUndefined();
  });

  it('is known by a new digest from then on', () => {
    const opened = open({ digest: 'by old rules' });
    intents.rekey(opened.id, 'by new rules');
    expect([alike('by old rules'), alike('by new rules')]).toEqual([[], [opened.id]]);
  });

  it('shows a judge what is open or unknown of the same digest, newest first, and writes nothing where it refuses', () => {
    const first = open();
    open({ digest: 'd2' });
    expect(alike()).toEqual([first.id]);
    intents.close(first.id, { state: 'unknown' });
    const second = open({ profile: 'other' });
    expect(alike()).toEqual([second.id, first.id]);
    expect(intents.list()).toHaveLength(3);
  });

  it('opens it where the judge has nothing to say, or is not asked', () => {
    open();
    expect('opened' in intents.open(intent(), () => undefined)).toBe(true);
    expect('opened' in intents.open(intent())).toBe(true);
    expect(intents.list({ states: ['open'] })).toHaveLength(3);
  });

  it('shows what was applied until it was told, and for a day after that', () => {
    const { id } = open();
    intents.close(id, { state: 'applied', resultId: 'r-1' });
    clock.advance(90 * 24 * 3_600_000);
    expect(alike()).toEqual([id]);
    intents.told(id);
    const toldAt = clock.now();
    clock.advance(24 * 3_600_000 - 1);
    expect(alike()).toEqual([id]);
    intents.told(id);
    expect(intents.get(id)).toMatchObject({ toldAt });
    clock.advance(1);
    expect(alike()).toEqual([]);
  });

  it.each(['not_applied', 'conflict'] as const)('shows nothing that ended as %s', (state) => {
    intents.close(open().id, { state });
    expect(alike()).toEqual([]);
  });

  it('takes telling of what was never opened for a defect', () => {
    expect(() => intents.told('no such id')).toThrow('no intent');
  });

  it.each(['applied', 'not_applied', 'conflict'] as const)('wipes the request once it is %s', (state) => {
    const { id } = open();
    clock.advance(5000);
    intents.close(id, { state, resultId: 'r-1', note: 'found by look-up' });
    const closed = intents.get(id);
    expect(closed).not.toHaveProperty('request');
    expect(closed).toMatchObject({ state, resultId: 'r-1', note: 'found by look-up', externalId: 'T-1' });
    expect((closed?.updatedAt ?? 0) - (closed?.createdAt ?? 0)).toBe(5000);
  });

  it('keeps the request and what is known while the outcome is unknown', () => {
    const { id } = open();
    intents.close(id, { state: 'unknown', note: 'no answer in two minutes' });
    intents.close(id, { state: 'unknown' });
    expect(intents.get(id)).toMatchObject({ request: intent().request, note: 'no answer in two minutes' });
    intents.close(id, { state: 'applied', resultId: 'r-1' });
    expect(intents.get(id)).toMatchObject({ state: 'applied', note: 'no answer in two minutes' });
  });

  it('never changes an outcome that is known', () => {
    const { id } = open();
    intents.close(id, { state: 'applied', resultId: 'r-1' });
    intents.close(id, { state: 'not_applied', resultId: 'r-2' });
    expect(intents.get(id)).toMatchObject({ state: 'applied', resultId: 'r-1' });
  });

  it('takes closing what was never opened for a defect', () => {
    expect(() => intents.close('no such id', { state: 'applied' })).toThrow('no intent');
  });

  it('lists the newest first, by state, and no more than asked for', () => {
    const ids = ['a', 'b', 'c'].map((digest) => open({ digest }).id);
    intents.close(ids[1] ?? '', { state: 'applied' });
    expect(intents.list().map(({ id }) => id)).toEqual([...ids].reverse());
    expect(intents.list({ states: ['open'] }).map(({ id }) => id)).toEqual([ids[2], ids[0]]);
    expect(intents.list({ digest: 'b' }).map(({ id }) => id)).toEqual([ids[1]]);
    expect(intents.list({ limit: 1 }).map(({ id }) => id)).toEqual([ids[2]]);
    expect(intents.list({ states: [] })).toEqual([]);
  });

  it('lists what fits all that is asked: profile, command or group, time, and how the id begins', () => {
    const listed = (filter: IntentFilter) => intents.list(filter).map(({ digest }) => digest);
    const first = clock.now();
    const { id } = open({ digest: 'a', command: 'tx fund', profile: 'live' });
    clock.advance(1_000);
    open({ digest: 'b', command: 'tx create' });
    open({ digest: 'c', command: 'txt%' });
    expect(listed({ command: 'tx' })).toEqual(['b', 'a']);
    expect(listed({ command: 'tx fund' })).toEqual(['a']);
    expect(listed({ command: 'tx%' })).toEqual([]);
    expect(listed({ profile: 'live' })).toEqual(['a']);
    expect(listed({ from: first + 1 })).toEqual(['c', 'b']);
    expect(listed({ from: first, to: first })).toEqual(['a']);
    expect(listed({ prefix: id.slice(0, 8) })).toEqual(['a']);
    expect(listed({ prefix: '%' })).toEqual([]);
    expect(listed({ prefix: id, profile: 'other' })).toEqual([]);
  });
});
