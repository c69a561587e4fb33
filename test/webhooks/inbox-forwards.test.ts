import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { ForwardRecord, Inbox } from '../../src/webhooks/store/port.ts';
import { InboxModel } from '../support/inbox-model.ts';
import { type InboxMaker, keepIn, postgresMaker, received, sqliteMakers } from '../support/inboxes.ts';
import { isLong } from '../support/long.ts';

/** Much longer than a step takes on a real server. */
const UNIT = 100_000;
const OWNERS = ['a', 'b', 'c'];

type Step =
  | { do: 'keep'; objects: number[]; late?: boolean }
  | { do: 'keep again'; of: number }
  | { do: 'claim'; owner: number; limit: number; units: number }
  | { do: 'record'; owner: number; which: number; outcome: ForwardRecord['outcome']; units: number }
  | { do: 'hand on'; owner: number; outcomes: ForwardRecord['outcome'][] }
  | { do: 'crash'; owner: number }
  | { do: 'requeue'; which: number[] }
  | { do: 'prune'; which: number; deadLetters: boolean; forget: boolean }
  | { do: 'advance'; units: number }
  | { do: 'reopen' };

const small = fc.nat({ max: 2 });
const owner = fc.nat({ max: OWNERS.length - 1 });
const outcome = fc.constantFrom<ForwardRecord['outcome'][]>('handed_on', 'again', 'dead_letter', 'not_tried');
/** Most of what is claimed is handed on: else little is ever replayed. */
const ended = fc.constantFrom<ForwardRecord['outcome'][]>('handed_on', 'handed_on', 'dead_letter');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('keep' as const),
    objects: fc.array(small, { minLength: 1, maxLength: 5 }),
    late: fc.nat({ max: 5 }).map((n) => n === 0),
  }),
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
    do: fc.constant('record' as const),
    owner,
    which: fc.nat(),
    outcome,
    units: fc.constantFrom(0, 0.5, 2.5),
  }),
  fc.record({
    do: fc.constant('record' as const),
    owner,
    which: fc.nat(),
    outcome,
    units: fc.constantFrom(0, 0.5, 2.5),
  }),
  {
    arbitrary: fc.record({
      do: fc.constant('hand on' as const),
      owner,
      outcomes: fc.array(ended, { minLength: 1, maxLength: 6 }),
    }),
    weight: 4,
  },
  fc.record({ do: fc.constant('crash' as const), owner }),
  fc.record({
    do: fc.constant('requeue' as const),
    which: fc.array(fc.nat({ max: 20 }), { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    do: fc.constant('prune' as const),
    which: fc.nat({ max: 30 }),
    deadLetters: fc.boolean(),
    forget: fc.boolean(),
  }),
  fc.record({ do: fc.constant('advance' as const), units: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ do: fc.constant('reopen' as const) }),
);

async function play(maker: InboxMaker, steps: readonly Step[]): Promise<void> {
  const place = await maker.place();
  let inbox = await place.open();
  const model = new InboxModel();
  const given = new Map<string, ReturnType<typeof received>>();
  /** What each owner believes that it has. A crash forgets it. */
  const hands = OWNERS.map((): string[] => []);
  let keptAt = 0;
  const keep = async (objects: string[], late = false) => {
    const deliveries = objects.map((objectId) => received({ objectId, late, receivedAt: ++keptAt }));
    const kept = await keepIn(inbox, deliveries, { handOn: true });
    for (const [i, delivery] of deliveries.entries()) {
      const { id = '' } = kept[i] ?? {};
      given.set(id, delivery);
      model.keep(id, delivery.objectId, delivery);
    }
  };
  const prune = async (before: number, deadLetters: boolean, forget: boolean) => {
    const gone = model.prune(before, deadLetters);
    expect(await inbox.prune({ before, deadLetters, forget })).toBe(gone.length);
    if (forget) for (const id of gone) given.delete(id);
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
  const record = async (by: number, records: ForwardRecord[]) => {
    await inbox.record(OWNERS[by] ?? '', records);
    for (const one of records) model.record(OWNERS[by] ?? '', one);
  };
  const handOn = async (by: number, outcomes: ForwardRecord['outcome'][]) => {
    for (const outcome of outcomes) {
      await claim(by, 1, UNIT);
      const id = hands[by]?.pop();
      if (id) await record(by, [{ id, outcome, answer: null }]);
    }
  };
  const act = async (one: Step) => {
    if (one.do === 'keep')
      await keep(
        one.objects.map((n) => `o${n}`),
        one.late,
      );
    if (one.do === 'keep again' && given.size > 0) {
      const again = [...given.values()][one.of % given.size];
      if (again) expect((await keepIn(inbox, [again], { handOn: true }))[0]?.outcome).toBe('duplicate');
    }
    if (one.do === 'claim') await claim(one.owner, one.limit, one.units * UNIT);
    if (one.do === 'record') {
      const hand = hands[one.owner] ?? [];
      const [id] = hand.splice(one.which % Math.max(1, hand.length), 1);
      if (id)
        await record(one.owner, [{ id, outcome: one.outcome, answer: null, delayMs: one.units * UNIT }]);
    }
    if (one.do === 'hand on') await handOn(one.owner, one.outcomes);
    if (one.do === 'crash') hands[one.owner] = [];
    if (one.do === 'requeue' && model.deliveries.length > 0) {
      const ids = one.which.map((n) => model.deliveries[n % model.deliveries.length]?.id ?? '');
      await inbox.requeue(ids);
      for (const id of ids) model.requeue(id);
    }
    if (one.do === 'prune') await prune(one.which % (keptAt + 2), one.deadLetters, one.forget);
    if (one.do === 'advance') await advance(one.units * UNIT);
    if (one.do === 'reopen' && maker.durable) {
      await inbox.close();
      inbox = await place.open();
    }
  };
  try {
    for (const one of steps) await act(one);
    await drain(inbox, model, { advance, claim, record });
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
    record,
  }: {
    advance(ms: number): Promise<void>;
    claim(by: number, limit: number, leaseMs: number): Promise<number>;
    record(by: number, records: ForwardRecord[]): Promise<void>;
  },
): Promise<void> {
  await advance(4 * UNIT);
  while ((await claim(0, 100, UNIT)) > 0) {
    const held = [...model.leases.values()].filter(({ owner, until }) => owner === 'a' && until > model.now);
    await record(
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

const recorded = (outcome: ForwardRecord['outcome']): Step => ({
  do: 'record',
  owner: 0,
  which: 0,
  outcome,
  units: 0,
});
const CLAIM: Step = { do: 'claim', owner: 0, limit: 1, units: 1.5 };
const [ON, DEAD]: Step[][] = [
  [CLAIM, recorded('handed_on')],
  [CLAIM, recorded('dead_letter')],
];

const REPLAYS: Record<string, Step[]> = {
  'two of one object at once': [
    { do: 'keep', objects: [1, 1] },
    ...[ON, ON].flatMap((steps = []) => steps),
    { do: 'requeue', which: [0, 1] },
  ],
  'a dead letter whose later one is pruned': [
    { do: 'keep', objects: [1, 1] },
    ...[DEAD, ON].flatMap((steps = []) => steps),
    { do: 'prune', which: 3, deadLetters: false, forget: false },
    { do: 'requeue', which: [0] },
  ],
  'a dead letter after one that was kept late': [
    { do: 'keep', objects: [1] },
    ...(DEAD ?? []),
    { do: 'keep', objects: [1], late: true },
    ...(ON ?? []),
    { do: 'requeue', which: [0, 1] },
  ],
};

const postgres = postgresMaker();
afterAll(() => postgres.stop());
const RUNS: Record<string, number> = { 'in memory': 300, 'in a file': 40 };

describe.each([...sqliteMakers, postgres])('hand-over $name', (maker) => {
  it('gives what is due again beside what is due', () => play(maker, RAN_OUT));

  it.each(Object.entries(REPLAYS))('marks what is late of %s', (_, steps) => play(maker, steps));

  it('is in order, to one at a time, never again, and nothing is lost, whoever dies', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => play(maker, steps)),
      { numRuns: Math.ceil((RUNS[maker.name] ?? 15) / (isLong ? 1 : 5)) },
    );
  });
});
