import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Inbox, Settlement } from '../../src/core/ports/inbox.ts';
import { InboxModel } from '../support/inbox-model.ts';
import { type InboxMaker, postgresMaker, received, sqliteMakers } from '../support/inboxes.ts';

/** Much longer than a step takes on a real server. */
const UNIT = 100_000;
const OWNERS = ['a', 'b', 'c'];

type Step =
  | { do: 'keep'; objects: number[] }
  | { do: 'keep again'; of: number }
  | { do: 'claim'; owner: number; limit: number; units: number }
  | { do: 'settle'; owner: number; which: number; outcome: Settlement['outcome']; units: number }
  | { do: 'crash'; owner: number }
  | { do: 'requeue'; which: number }
  | { do: 'advance'; units: number }
  | { do: 'reopen' };

const small = fc.nat({ max: 3 });
const owner = fc.nat({ max: OWNERS.length - 1 });
const outcome = fc.constantFrom<Settlement['outcome'][]>('handed_on', 'again', 'dead_letter', 'not_tried');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('keep' as const), objects: fc.array(small, { minLength: 1, maxLength: 5 }) }),
  fc.record({ do: fc.constant('keep again' as const), of: fc.nat() }),
  fc.record({
    do: fc.constant('claim' as const),
    owner,
    limit: fc.integer({ min: 1, max: 4 }),
    units: fc.constantFrom(1.5, 3.5),
  }),
  fc.record({
    do: fc.constant('claim' as const),
    owner,
    limit: fc.integer({ min: 1, max: 4 }),
    units: fc.constantFrom(1.5, 3.5),
  }),
  fc.record({
    do: fc.constant('settle' as const),
    owner,
    which: fc.nat(),
    outcome,
    units: fc.constantFrom(0, 0.5, 2.5),
  }),
  fc.record({
    do: fc.constant('settle' as const),
    owner,
    which: fc.nat(),
    outcome,
    units: fc.constantFrom(0, 0.5, 2.5),
  }),
  fc.record({ do: fc.constant('crash' as const), owner }),
  fc.record({ do: fc.constant('requeue' as const), which: fc.nat() }),
  fc.record({ do: fc.constant('advance' as const), units: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ do: fc.constant('reopen' as const) }),
);

async function play(maker: InboxMaker, steps: readonly Step[]): Promise<void> {
  const place = await maker.place();
  let inbox = await place.open();
  const model = new InboxModel();
  const given: ReturnType<typeof received>[] = [];
  /** What each owner believes that it has. A crash forgets it. */
  const hands = OWNERS.map((): string[] => []);
  const keep = async (objects: string[]) => {
    const deliveries = objects.map((objectId) => received({ objectId }));
    const kept = await inbox.keep(deliveries, { handOn: true });
    given.push(...deliveries);
    for (const [i, { id }] of kept.entries()) model.keep(id, objects[i] ?? '');
  };
  const advance = async (ms: number) => {
    await place.advance(ms);
    model.now += ms;
  };
  const claim = async (by: number, limit: number, leaseMs: number) => {
    const name = OWNERS[by] ?? '';
    const { deliveries } = await inbox.claim({ owner: name, limit, leaseMs });
    const claimed = deliveries.map(({ id, late }) => ({ id, late }));
    expect(claimed).toEqual(model.claim(name, limit, leaseMs));
    hands[by]?.push(...claimed.map(({ id }) => id));
    return claimed.length;
  };
  const settle = async (by: number, settlements: Settlement[]) => {
    await inbox.settle(OWNERS[by] ?? '', settlements);
    for (const one of settlements) model.settle(OWNERS[by] ?? '', one);
  };
  const act = async (one: Step) => {
    if (one.do === 'keep') await keep(one.objects.map((n) => `o${n}`));
    if (one.do === 'keep again' && given.length > 0) {
      const again = given[one.of % given.length];
      if (again) expect((await inbox.keep([again], { handOn: true }))[0]?.outcome).toBe('duplicate');
    }
    if (one.do === 'claim') await claim(one.owner, one.limit, one.units * UNIT);
    if (one.do === 'settle') {
      const hand = hands[one.owner] ?? [];
      const [id] = hand.splice(one.which % Math.max(1, hand.length), 1);
      if (id)
        await settle(one.owner, [{ id, outcome: one.outcome, answer: null, delayMs: one.units * UNIT }]);
    }
    if (one.do === 'crash') hands[one.owner] = [];
    if (one.do === 'requeue' && model.deliveries.length > 0) {
      const { id = '' } = model.deliveries[one.which % model.deliveries.length] ?? {};
      await inbox.requeue([id]);
      model.requeue(id);
    }
    if (one.do === 'advance') await advance(one.units * UNIT);
    if (one.do === 'reopen' && maker.durable) {
      await inbox.close();
      inbox = await place.open();
    }
  };
  try {
    for (const one of steps) await act(one);
    await drain(inbox, model, { advance, claim, settle });
  } finally {
    await inbox.close();
  }
}

/** Whoever died with something, it is handed on in the end; and then nothing is left. */
async function drain(
  inbox: Inbox,
  model: InboxModel,
  {
    advance,
    claim,
    settle,
  }: {
    advance(ms: number): Promise<void>;
    claim(by: number, limit: number, leaseMs: number): Promise<number>;
    settle(by: number, settlements: Settlement[]): Promise<void>;
  },
): Promise<void> {
  await advance(4 * UNIT);
  while ((await claim(0, 100, UNIT)) > 0) {
    const held = [...model.leases.values()].filter(({ owner, until }) => owner === 'a' && until > model.now);
    await settle(
      0,
      held.map(({ id }) => ({ id, outcome: 'handed_on', answer: '200' })),
    );
  }
  const states = Object.fromEntries(
    (await inbox.list({}, { limit: 10_000 })).map(({ id, state }) => [id, state]),
  );
  expect(states).toEqual(Object.fromEntries(model.deliveries.map(({ id, state }) => [id, state])));
  expect(Object.values(states)).not.toContain('waiting');
  expect(await inbox.backlog()).toMatchObject({ waiting: 0 });
}

/** A lease that ran out while another lane was ready: found by the property once. */
const RAN_OUT: Step[] = [
  { do: 'keep', objects: [1] },
  { do: 'keep', objects: [0] },
  { do: 'claim', owner: 0, limit: 1, units: 1.5 },
];

const postgres = postgresMaker();
afterAll(() => postgres.stop());
const RUNS: Record<string, number> = { 'in memory': 300, 'in a file': 40 };

describe.each([...sqliteMakers, postgres])('hand-over $name', (maker) => {
  it('gives what is due again beside what is due', () => play(maker, RAN_OUT));

  it('is in order, to one at a time, never again, and nothing is lost, whoever dies', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), (steps) => play(maker, steps)),
      { numRuns: RUNS[maker.name] ?? 15 },
    );
  });
});
