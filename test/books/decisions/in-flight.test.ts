/** Money in flight against a model of random ledgers, whose movements the books saw as they came. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bookEntryOf } from '../../../src/books/entry.ts';
import { openSqliteBooks } from '../../../src/books/store/sqlite.ts';
import { inFlightOf } from '../../../src/books/summary/in-flight.ts';
import { endingOfDay, notesOfDay } from '../../../src/books/summary/in-flight-told.ts';
import type { Recipient, Transaction } from '../../../src/contract/resources/transaction.ts';
import type { Desk } from '../../../src/payments/desk.ts';

const BEGAN = Date.UTC(2026, 0, 5);
const HOUR = 3_600_000;
const DAYS = 20;
const desk = {
  zone: 'UTC',
  clock: { now: () => BEGAN },
  signal: new AbortController().signal,
  working: (_: string, run: (progress: { tell(): void }) => unknown) => run({ tell: () => {} }),
} as unknown as Desk;

const END = ['success', 'refunded', 'canceled', undefined] as const;
interface Planned {
  from: 'EUR' | 'USD';
  /** Hours from the beginning. */
  at: number;
  isCollection: boolean;
  payouts: { cents: number; end: (typeof END)[number]; after: number; backAfter: number }[];
}
const hours = fc.integer({ min: 0, max: DAYS * 24 });
const planned: fc.Arbitrary<Planned> = fc.record({
  from: fc.constantFrom('EUR', 'USD'),
  at: hours,
  isCollection: fc.boolean(),
  payouts: fc.array(
    fc.record({
      cents: fc.integer({ min: 1, max: 1_000_000 }),
      end: fc.constantFrom(...END),
      after: fc.integer({ min: 1, max: 200 }),
      backAfter: fc.integer({ min: 1, max: 100 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

const text = (cents: number): string => (cents / 100).toFixed(2);
const iso = (hour: number): string => new Date(BEGAN + hour * HOUR).toISOString();

/** The states that a payout comes to, and when; hours from the beginning. */
function movesOf({ at }: Planned, { end, after, backAfter }: Planned['payouts'][number]): [number, string][] {
  if (end === undefined) return [];
  if (end !== 'refunded') return [[at + after, end]];
  return [
    [at + after, 'canceled'],
    [at + after + backAfter, 'refunded'],
  ];
}
const stateAt = (plan: Planned, one: Planned['payouts'][number], hour: number): string =>
  movesOf(plan, one).findLast(([when]) => when <= hour)?.[1] ?? 'pending';

/** As the service has it at an hour. */
function recordAt(plan: Planned, n: number, hour: number): Transaction {
  const { from, at, isCollection, payouts } = plan;
  const whole = text(payouts.reduce((sum, { cents }) => sum + cents, 0));
  const changes = payouts.flatMap((one) => movesOf(plan, one).map(([when]) => when));
  const payin = isCollection ? [{ state: 'success' }] : [];
  return {
    id: `t-${n}`,
    state: 'received',
    input_currency: from,
    input_amount: whole,
    paid_amount: whole,
    created_at: iso(at),
    updated_at: iso(Math.max(at, ...changes.filter((when) => when <= hour))),
    payin_methods: payin as never,
    recipients: payouts.map(
      (one, place): Recipient => ({
        id: `r-${n}-${place}`,
        state: stateAt(plan, one, hour) as Recipient['state'],
        input_amount: text(one.cents),
        input_currency: from,
        output_amount: text(one.cents),
        output_currency: isCollection ? 'GHS' : 'NGN',
        payout_method: { type: isCollection ? 'GHS::Balance' : 'NGN::Bank' } as never,
      }),
    ),
  };
}

const OPENING = 1_000_000_000;
type Cents = Record<string, number>;
const noted = (sums: Cents, key: string, cents: number): void => {
  sums[key] = (sums[key] ?? 0) + cents;
};

function modelAt(plans: readonly Planned[], hour: number) {
  const inFlight: Cents = {};
  const balance: Cents = { EUR: OPENING, GHS: OPENING, USD: OPENING };
  for (const plan of plans)
    for (const one of plan.at <= hour ? plan.payouts : []) {
      const state = stateAt(plan, one, hour);
      const source = plan.isCollection ? 'payin' : 'balance';
      if (source === 'balance') noted(balance, plan.from, state === 'refunded' ? 0 : -one.cents);
      else if (state === 'success') noted(balance, 'GHS', one.cents);
      if (state === 'canceled') noted(inFlight, `${plan.from} refund_due ${source}`, one.cents);
      if (state !== 'pending') continue;
      noted(
        inFlight,
        plan.isCollection ? 'GHS not_credited payin' : `${plan.from} not_paid balance`,
        one.cents,
      );
    }
  return { inFlight, balance };
}

it('is what a model of the ledger says at any hour, and comes to its balance', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(planned, { maxLength: 8 }), hours, async (plans, hour) => {
      const books = await openSqliteBooks(':memory:');
      const see = async (at: number): Promise<void> => {
        const { balance } = modelAt(plans, at);
        const balances = Object.entries(balance).map(([currency, cents]) => ({
          currency,
          amount: text(cents),
        }));
        await books.seeBalances(BEGAN + at * HOUR, balances);
      };
      await see(-1);
      const events = plans.flatMap((plan, n) => [
        [plan.at, plan, n] as const,
        ...plan.payouts.flatMap((one) => movesOf(plan, one).map(([when]) => [when, plan, n] as const)),
      ]);
      for (const [when, plan, n] of events.sort(([a], [b]) => a - b)) {
        const entry = bookEntryOf(recordAt(plan, n, when), when);
        if (entry !== undefined) await books.keep([entry]);
      }
      await see(10_000);
      await books.setProgress({ completeAt: 1, knownUntil: BEGAN + 10_000 * HOUR });
      const made = await inFlightOf(desk, books, { to: BEGAN + hour * HOUR + 1 });
      const model = modelAt(plans, hour);
      const rows: Cents = {};
      for (const { currency, kind, source, amount } of made.rows)
        noted(rows, `${currency} ${kind} ${source}`, Math.round(Number(amount) * 100));
      expect(rows).toEqual(model.inFlight);
      const balances = made.balances.map(({ currency, balance }) => [
        currency,
        Math.round(Number(balance) * 100),
      ]);
      expect(Object.fromEntries(balances)).toEqual(model.balance);
      for (const { difference, came_in } of made.balances)
        expect([Number(difference), Number(came_in)]).toEqual([0, OPENING / 100]);
      expect(endingOfDay(desk, made)).toBe('done');
      books.close();
    }),
    { numRuns: 150 },
  );
});

const single = (over: Partial<Planned> = {}): Planned => ({
  from: 'EUR',
  at: 0,
  isCollection: false,
  payouts: [{ cents: 1_000, end: 'refunded', after: 30, backAfter: 1 }],
  ...over,
});

/** Books that were read at these hours alone. */
async function readAt(plans: readonly Planned[], times: readonly number[], to: number) {
  const books = await openSqliteBooks(':memory:');
  await books.seeBalances(BEGAN - 1, [{ currency: 'EUR', amount: '100' }]);
  for (const when of times)
    for (const [n, plan] of plans.entries()) {
      const entry = plan.at <= when ? bookEntryOf(recordAt(plan, n, when), when) : undefined;
      if (entry !== undefined) await books.keep([entry], { completeAt: 1, knownUntil: BEGAN + when * HOUR });
    }
  const made = await inFlightOf(desk, books, { to: BEGAN + to * HOUR });
  return { books, made, notes: JSON.stringify(notesOfDay(desk, made)) };
}

it('says what it cannot know: a refund that came since, payments to several, money that others paid in, debits near the end', async () => {
  const since = await readAt([single()], [0, 100], 29);
  expect(since.made.unsure).toEqual({ endedNear: 0, backSince: 1, paidIn: 0, nearTheEnd: 0 });
  expect(since.notes).toContain('The money of 1 payout that is not paid came back since');
  const one = { cents: 1_000, end: 'success' as const, after: 30, backAfter: 1 };
  const several = single({ payouts: [one, { ...one, after: 40 }] });
  expect((await readAt([several], [0, 100], 20)).made.unsure).toMatchObject({ endedNear: 2, backSince: 0 });
  // Dated by the last change of the whole: within a day before the end, and longer ago.
  expect((await readAt([several], [0, 50], 50)).made.unsure).toMatchObject({ endedNear: 2 });
  expect((await readAt([several], [0, 50], 70)).made.unsure).toMatchObject({ endedNear: 0 });
  expect((await readAt([several], [0, 50, 100], 40.5)).notes).toContain('perhaps on its other side');
  const paidIn = single({ isCollection: true, payouts: [one] });
  expect((await readAt([paidIn], [0, 100], 20)).made.unsure).toMatchObject({ endedNear: 1, paidIn: 1 });
  expect((await readAt([paidIn], [0], 20)).made.unsure).toMatchObject({ endedNear: 0, paidIn: 0 });
  expect((await readAt([single()], [0], 1)).made.unsure).toMatchObject({ nearTheEnd: 1 });
  expect((await readAt([single()], [0], 2)).made.unsure).toMatchObject({ nearTheEnd: 0 });
});

it('ages count from the funding, and their bounds are whole days', async () => {
  const open = single({ payouts: [{ cents: 500, end: undefined, after: 1, backAfter: 1 }] });
  for (const [hour, age] of [
    [23, 'under_1_day'],
    [24, '1_to_7_days'],
    [7 * 24, '7_to_30_days'],
    [30 * 24, 'over_30_days'],
  ] as const) {
    const { made } = await readAt([open], [0, hour], hour);
    expect(made.rows).toEqual([
      {
        currency: 'EUR',
        kind: 'not_paid',
        source: 'balance',
        age,
        payouts: 1,
        amount: '5',
        oldest_at: iso(0),
      },
    ]);
  }
  const two = await readAt([open, { ...open, at: 2 }], [0, 3], 5);
  expect(two.made.rows).toMatchObject([{ payouts: 2, amount: '10', oldest_at: iso(0) }]);
});

it('a movement that the records do not explain is a difference, and a balance that nobody saw proves nothing', async () => {
  const { books, made } = await readAt([single()], [0, 20], 10);
  expect(made.balances).toMatchObject([{ currency: 'EUR', not_paid: '10', balance: '90', difference: '0' }]);
  const stray = {
    kind: 'debit',
    of: 't-9',
    at: BEGAN,
    laterAt: BEGAN,
    currency: 'EUR',
    amount: '-3',
  } as const;
  const entry = bookEntryOf(recordAt(single({ payouts: [] }), 9, 0), 0);
  if (entry !== undefined) await books.keep([{ ...entry, marks: [stray] }]);
  const wrong = await inFlightOf(desk, books, { to: BEGAN + 10 * HOUR });
  expect([wrong.balances[0]?.difference, endingOfDay(desk, wrong)]).toEqual(['-3', 'check']);
  expect(JSON.stringify(notesOfDay(desk, wrong))).toContain('-3.00 EUR apart');
  const early = await inFlightOf(desk, books, { to: BEGAN - 1 });
  expect([early.balances, endingOfDay(desk, early)]).toMatchObject([
    [{ balance: null, difference: null }],
    'check',
  ]);
});

it('a payment from one balance to another leaves the first and comes to the second', async () => {
  const books = await openSqliteBooks(':memory:');
  const between = recordAt(
    single({ payouts: [{ cents: 700, end: 'success', after: 1, backAfter: 1 }] }),
    1,
    5,
  );
  for (const one of between.recipients ?? [])
    Object.assign(one, { output_currency: 'GHS', payout_method: { type: 'GHS::Balance' } });
  for (const currency of ['EUR', 'GHS']) await books.seeBalances(BEGAN - 1, [{ currency, amount: '100' }]);
  const entry = bookEntryOf(between, 1);
  if (entry !== undefined) await books.keep([entry], { completeAt: 1, knownUntil: BEGAN + 9 * HOUR });
  const { balances, rows } = await inFlightOf(desk, books, { to: BEGAN + 9 * HOUR });
  expect(rows).toEqual([]);
  expect(balances).toMatchObject([
    { currency: 'EUR', paid: '7', balance: '93', difference: '0' },
    { currency: 'GHS', collected: '7', balance: '107', difference: '0' },
  ]);
  // Before it arrives it is in flight, of the balance that it left.
  const before = await inFlightOf(desk, books, { to: BEGAN + HOUR / 2 });
  expect(before.rows).toMatchObject([{ currency: 'EUR', kind: 'not_paid', source: 'balance' }]);
  expect(before.balances.map(({ difference }) => difference)).toEqual(['0', '0']);
});

it('money that waits to clear is a collection on its way and no payout; a debit of the next day is none of this one', async () => {
  const books = await openSqliteBooks(':memory:');
  const keep = async (n: number, over: Partial<Transaction>, plan: Partial<Planned>): Promise<void> => {
    const entry = bookEntryOf({ ...recordAt(single(plan), n, 0), ...over }, 1);
    if (entry !== undefined) await books.keep([entry], { completeAt: 1, knownUntil: BEGAN + 99 * HOUR });
  };
  const clearing = {
    state: 'pending' as const,
    paid_amount: '0',
    payin_methods: [{ state: 'processing' }] as never,
  };
  await keep(1, clearing, { isCollection: true });
  await keep(2, clearing, {});
  await keep(3, { state: 'approved', paid_amount: '0' }, { at: 19 });
  await keep(3, { state: 'received', updated_at: iso(19.75) }, { at: 19 });
  const at = async (hour: number) => (await inFlightOf(desk, books, { to: BEGAN + hour * HOUR })).rows;
  const collection = { currency: 'GHS', kind: 'not_credited', source: 'payin', payouts: 1 };
  expect(await at(19.5)).toMatchObject([collection]);
  expect(await at(20)).toMatchObject([{ currency: 'EUR', kind: 'not_paid', source: 'balance' }, collection]);
});

it('what was removed from the books is not counted, and said', async () => {
  const { books } = await readAt([single(), single({ at: 100 })], [0, 50, 101], 110);
  await books.forget(BEGAN + 60 * HOUR);
  const made = await inFlightOf(desk, books, { to: BEGAN + 110 * HOUR });
  expect(made.balances).toMatchObject([{ not_paid: '10', balance: '90', difference: '0' }]);
  expect(JSON.stringify(notesOfDay(desk, made))).toContain('were removed from the books');
});
