/** What stops a run before more is paid: its ceiling at every look, rate and balance every five minutes. */
import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/client/client.ts';
import { ApiError, NetworkError } from '../../../src/client/errors.ts';
import { listAccounts } from '../../../src/contract/operations/accounts.ts';
import type { Desk } from '../../../src/payments/desk.ts';
import { overMost } from '../../../src/runs/spending.ts';
import type { FoundSum, PayRun, PayRuns, RowState, RowSum } from '../../../src/runs/store/port.ts';
import { roundPercent, shortfallWords, stillNeeded, watchful } from '../../../src/runs/watchful.ts';
import { deskOver } from '../../support/desk.ts';
import { standingClock } from '../../support/stores.ts';

const call = { operation: 'currencies.in', nonce: 'n-1', effect: 'read' as const };
const sum = (state: RowState, over: Partial<RowSum> = {}): RowSum => ({
  state,
  type: 'NGN::Bank',
  currency: 'NGN',
  inputCurrency: 'EUR',
  rows: 1,
  amount: '50000',
  estimate: '50',
  cost: '60',
  arrives: '50000',
  ...over,
});

interface Given {
  sums?: RowSum[];
  found?: FoundSum[];
  run?: Partial<PayRun>;
  rates?: Record<string, string>;
  ceilings?: Record<string, string>;
  tolerance?: string;
  /** What the service says, or how it fails. */
  rate?: string | Error;
  balance?: string;
  /** What another process kept, so long ago. */
  kept?: { rates?: string; ageMs?: number };
}

const FIVE_MINUTES = 300_000;

function stage({
  sums = [sum('planned')],
  found = [],
  run: over = {},
  rates = { 'EUR NGN': '1000' },
  ceilings = { EUR: '100' },
  tolerance = '0.01',
  rate = '1000',
  balance = '50',
  kept,
}: Given) {
  const clock = standingClock(1_000_000);
  const asked: string[] = [];
  const said: unknown[] = [];
  const written: string[] = [];
  const client = {
    async call(operation: { id: string }) {
      asked.push(operation.id);
      if (operation.id === listAccounts.id) return { object: [{ currency: 'EUR', amount: balance }] };
      if (rate instanceof Error) throw rate;
      return { object: [{ code: 'EUR', opposites: [{ code: 'NGN', rate }] }] };
    },
  } as unknown as Client;
  const transport = async () => {
    throw new Error('the client of this desk has no network');
  };
  const desk: Desk = {
    ...deskOver({ transport, clock }),
    client: async () => client,
    hear: ({ says }) => void said.push(says),
  };
  const payruns = {
    sums: async () => sums,
    found: async () => found,
    find: async () =>
      kept
        ? [{ rates: kept.rates, ratesAt: kept.ageMs === undefined ? undefined : 9_000_000 - kept.ageMs }]
        : [],
    now: async () => 9_000_000,
    keepRates: async (id: string, text: string) => void written.push(`${id} ${text}`),
  } as unknown as PayRuns;
  const plan = JSON.stringify({ version: 1, rates, ceilings });
  const run = { id: 'run-1', plan, account: { baseUrl: 'http://127.0.0.1:4010/v1' }, ...over } as PayRun;
  const spending = {
    look: (all: readonly RowSum[], before: Record<string, string>) => overMost(all, ceilings, before),
  };
  return { clock, asked, said, written, watch: watchful(desk, payruns, { run, tolerance, spending }) };
}

describe('the ceiling', () => {
  it.each<[RowState, string]>([
    ['planned', '50'],
    ['sending', '50'],
    ['unknown', '50'],
    ['created', '60'],
    ['paid', '60'],
    ['in_error', '60'],
    ['refunded', '0'],
    ['cancelled', '0'],
    ['refused', '0'],
    ['conflict', '0'],
    ['handed_on', '0'],
  ])('counts a row that is %s as %s', async (state, counts) => {
    const at = stage({ sums: [sum(state)], ceilings: { EUR: counts } });
    expect(await at.watch.look()).toBeUndefined();
    if (counts === '0') return;
    const below = stage({ sums: [sum(state)], ceilings: { EUR: String(Number(counts) - 1) } });
    expect(await below.watch.look()).toEqual({
      code: 'ceiling',
      why: `paid and still to be paid come to ${counts}.00 EUR, 1.00 EUR more than the limit of ${Number(counts) - 1}.00 EUR`,
    });
    expect(below.asked).toEqual([]);
  });

  it('counts all rows of a currency together, and a currency that has no limit is not paid', async () => {
    const sums = [sum('paid'), sum('planned'), sum('paid', { inputCurrency: 'GBP', cost: '500' })];
    const look = (ceilings: Record<string, string>) => stage({ sums, ceilings, balance: '999' }).watch.look();
    expect(await look({ EUR: '110', GBP: '500' })).toBeUndefined();
    for (const ceilings of [{ EUR: '109', GBP: '500' }, { EUR: '110' }])
      expect(await look(ceilings)).toMatchObject({ code: 'ceiling' });
  });

  it.each<[string, FoundSum['state'], string, boolean]>([
    ['paid before the run is none of its cost', 'paid', '50', true],
    ['that came back was none of it anyway', 'refunded', '50', false],
  ])('what was %s', async (_, state, ceiling, holds) => {
    const found: FoundSum[] = [
      { found: 'before', state, inputCurrency: 'EUR', rows: 1, cost: '60', estimate: '50' },
    ];
    const accepted = { acceptedBefore: 1 };
    const sums = [sum('paid'), sum('planned')];
    expect(
      (await stage({ sums, found, run: accepted, ceilings: { EUR: ceiling } }).watch.look()) === undefined,
    ).toBe(holds);
  });

  it('rows that were paid before pause it, until somebody accepts them', async () => {
    const found: FoundSum[] = [
      { found: 'before', state: 'paid', inputCurrency: 'EUR', rows: 2, cost: '60', estimate: '50' },
    ];
    expect(await stage({ found }).watch.look()).toMatchObject({ code: 'paid_before' });
    expect(await stage({ found, run: { acceptedBefore: 1 } }).watch.look()).toMatchObject({
      code: 'paid_before',
    });
    expect(await stage({ found, run: { acceptedBefore: 2 } }).watch.look()).toBeUndefined();
  });

  it('is looked at every time, however short ago', async () => {
    const sums = [sum('paid')];
    const { watch } = stage({ sums });
    expect(await watch.look()).toBeUndefined();
    sums.push(sum('paid'));
    expect(await watch.look()).toMatchObject({ code: 'ceiling' });
  });
});

describe('the rate', () => {
  it.each([
    ['1000', '0.01', undefined],
    ['1010', '0.01', undefined],
    ['990', '0.01', undefined],
    ['1011', '0.01', undefined],
    ['2000', '0.01', undefined],
    [
      '988',
      '0.01',
      'the rate from EUR to NGN is 988 now, and 1000 when it was planned: 1.2 % away, more than 1 %',
    ],
  ])('of %s with a tolerance of %s', async (rate, tolerance, why) => {
    const { watch, written } = stage({ rate, tolerance });
    expect(await watch.look()).toEqual(why && { code: 'rate', why });
    expect(written).toEqual([`run-1 {"EUR NGN":"${rate}"}`]);
  });

  it.each<[string, Given['kept'], boolean]>([
    ['that nobody kept is read', undefined, true],
    ['of now is taken', { rates: '{"EUR NGN":"500"}', ageMs: 0 }, false],
    [
      'that is almost five minutes old is taken',
      { rates: '{"EUR NGN":"500"}', ageMs: FIVE_MINUTES - 1 },
      false,
    ],
    ['that is five minutes old is read', { rates: '{"EUR NGN":"500"}', ageMs: FIVE_MINUTES }, true],
    ['of the future is read', { rates: '{"EUR NGN":"500"}', ageMs: -1 }, true],
    ['without its time is read', { rates: '{"EUR NGN":"500"}' }, true],
    ['without its text is read', { ageMs: 0 }, true],
  ])('%s', async (_, kept, isRead) => {
    const { watch, asked, written } = stage({ ...(kept ? { kept } : {}) });
    expect((await watch.look())?.code).toBe(isRead ? undefined : 'rate');
    expect(asked.includes('currencies.in')).toBe(isRead);
    expect(written).toHaveLength(isRead ? 1 : 0);
  });

  it('is not asked for where none was planned', async () => {
    const { watch, asked, written } = stage({ rates: {} });
    expect(await watch.look()).toBeUndefined();
    expect([asked, written]).toEqual([['accounts.list'], []]);
  });

  it.each<[string, Error]>([
    ['network', new NetworkError('not_sent', 'ECONNREFUSED', call, 'refused')],
    [
      'server',
      new ApiError(503, call, { fields: [], meta: {}, existing: {}, resource: undefined, isOwn: true }),
    ],
  ])(
    'that cannot be read for a failure of the %s stops nothing, and the balance is looked at',
    async (_, rate) => {
      const { watch, said } = stage({ rate, balance: '49' });
      expect(await watch.look()).toMatchObject({ code: 'balance' });
      expect(said).toEqual([
        expect.stringMatching(/^the rates could not be read \(.+\): asked again in five minutes$/),
      ]);
    },
  );

  it('that the service does not name ends it', async () => {
    await expect(stage({ rate: '0' }).watch.look()).rejects.toMatchObject({ facts: { code: 'no_rate' } });
  });
});

describe('the balance', () => {
  it.each([
    ['50', undefined],
    ['49.99', 'the balance is 49.99 EUR, the rest of the run needs 50.00 EUR: 0.01 EUR is missing'],
  ])('of %s', async (balance, why) => {
    expect(await stage({ balance }).watch.look()).toEqual(why && { code: 'balance', why });
  });

  it('is not read where nothing is left to pay', async () => {
    const { watch, asked } = stage({ sums: [sum('paid')], balance: '0' });
    expect(await watch.look()).toBeUndefined();
    expect(asked).toEqual(['currencies.in']);
  });

  it('of two currencies is told of each', async () => {
    const sums = [sum('planned'), sum('planned', { inputCurrency: 'GBP' })];
    const ceilings = { EUR: '100', GBP: '100' };
    expect((await stage({ sums, ceilings, balance: '1' }).watch.look())?.why).toMatch(
      /49\.00 EUR is missing; .* 50\.00 GBP is missing$/,
    );
  });
});

it('rate and balance are looked at again after five minutes, and not before', async () => {
  const { watch, asked, clock } = stage({});
  const looks = async () => {
    await watch.look();
    return asked.splice(0).length;
  };
  expect(await looks()).toBe(2);
  clock.advance(FIVE_MINUTES - 1);
  expect(await looks()).toBe(0);
  clock.advance(1);
  expect(await looks()).toBe(2);
});

it('only planned rows are still to be paid for, by currency', () => {
  const states: RowState[] = [
    'sending',
    'created',
    'paid',
    'in_error',
    'refunded',
    'cancelled',
    'refused',
    'conflict',
    'handed_on',
    'unknown',
  ];
  expect(stillNeeded(states.map((state) => sum(state)))).toEqual({});
  expect(
    stillNeeded([
      sum('planned'),
      sum('planned', { estimate: '1.5' }),
      sum('planned', { inputCurrency: 'GBP' }),
    ]),
  ).toEqual({
    EUR: '51.5',
    GBP: '50',
  });
});

it.each([
  ['0.005', '0.5 %'],
  ['0.01234', '1.23 %'],
  ['1', '100 %'],
])('a share of %s is %s', (share, words) => {
  expect(roundPercent(share)).toBe(words);
});

it('a shortfall says what is there, what is needed and what is missing', () => {
  expect(shortfallWords({ currency: 'EUR', held: '1', needed: '3', missing: '2' })).toBe(
    'the balance is 1.00 EUR, the rest of the run needs 3.00 EUR: 2.00 EUR is missing',
  );
});
