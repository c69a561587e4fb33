/** Where a run stands is worked out from sums alone: each state of a row counts where it belongs. */
import { describe, expect, it } from 'vitest';
import { shownRunSummary } from '../../../src/runs/run-output.ts';
import { type RunEnding, summaryOfRun as standingWith } from '../../../src/runs/run-summary.ts';
import { type PayRun, type RowState, type RowSum, rowStates } from '../../../src/runs/store/port.ts';

const PLAN = JSON.stringify({ version: 1 });
const run = (rows: number, state: PayRun['state'] = 'approved', over: Partial<PayRun> = {}) =>
  ({ rows, state, plan: PLAN, ...over }) as PayRun;
const standingOfRun = (given: PayRun, sums: readonly RowSum[], until?: 'funded' | 'paid') =>
  standingWith(given, { sums, found: [] }, until);
const sum = (state: RowState, over: Partial<RowSum> = {}): RowSum => ({
  state,
  type: 'NGN::Bank',
  currency: 'NGN',
  inputCurrency: 'EUR',
  rows: 1,
  amount: '100',
  estimate: '7',
  cost: '8',
  arrives: '100',
  ...over,
});

describe('one row', () => {
  it.each<[RowState, Record<string, string>, Record<string, string>, string[]]>([
    ['planned', {}, { EUR: '7' }, []],
    ['sending', {}, {}, ['unknown']],
    ['created', { EUR: '8' }, {}, ['open']],
    ['paid', { EUR: '8' }, {}, ['paid']],
    ['in_error', { EUR: '8' }, {}, ['held']],
    ['refunded', {}, {}, []],
    ['cancelled', {}, {}, []],
    ['refused', {}, {}, []],
    ['unknown', {}, {}, ['unknown']],
  ])('that is %s counts', (state, spent, needed, columns) => {
    const summary = standingOfRun(run(1), [sum(state)]);
    const amounts = { paid: '0', open: '0', held: '0', unknown: '0' };
    const prices = rowStates[state].takesMoney
      ? { plannedCost: '7', cost: '8', arrives: '100' }
      : { plannedCost: '0', cost: '0', arrives: '0' };
    expect([summary.spent, summary.needed, summary.breaks]).toEqual([spent, needed, []]);
    expect(summary.counts).toMatchObject({ [state]: 1 });
    expect(Object.values(summary.counts).reduce((a, b) => a + b)).toBe(1);
    expect(summary.totals).toEqual([
      {
        type: 'NGN::Bank',
        currency: 'NGN',
        inputCurrency: 'EUR',
        rows: 1,
        amount: '100',
        ...amounts,
        ...prices,
        ...Object.fromEntries(columns.map((name) => [name, '100'])),
      },
    ]);
  });
});

describe('prices', () => {
  const pricesOf = (...sums: RowSum[]) => {
    const plan = JSON.stringify({ version: 1, rates: { 'EUR NGN': '14' }, repeated: {} });
    const account = { environment: 'sandbox', profile: 'p' };
    const planned = run(sums.length, 'approved', {
      plan,
      createdAt: 0,
      account,
      digest: '',
    } as Partial<PayRun>);
    return shownRunSummary(standingOfRun(planned, sums)).totals;
  };

  it('are the rate and the cost of the plan beside those that it was paid for', () => {
    const paid = { planned_cost: '7', cost: '8', cost_difference: '1' };
    expect(pricesOf(sum('paid'))).toMatchObject([{ ...paid, planned_rate: '14', paid_rate: '12.5' }]);
    const none = { planned_cost: null, cost: null, cost_difference: null, paid_rate: null };
    expect(pricesOf(sum('planned'))).toMatchObject([{ ...none, planned_rate: '14' }]);
    // Of an amount to pay in nobody kept what arrives, and what stays in its currency has no rate.
    expect(pricesOf(sum('paid', { currency: 'EUR' }))).toMatchObject([{ ...paid, paid_rate: null }]);
    const same = { type: 'EUR::Bank', currency: 'EUR' };
    expect(pricesOf(sum('paid', same))).toMatchObject([{ ...paid, planned_rate: null, paid_rate: null }]);
  });

  it('leave rows out of which the service did not say what arrives', () => {
    expect(pricesOf(sum('paid'), sum('created', { arrives: '0', cost: '0' }))).toMatchObject([
      { planned_cost: '7', cost: '8', paid_rate: '12.5' },
    ]);
  });
});

describe('totals', () => {
  it('are told apart by type and both currencies, and added up within', () => {
    const { totals, spent } = standingOfRun(run(7), [
      sum('paid', { rows: 2, amount: '200', cost: '16', arrives: '200' }),
      sum('paid', { amount: '50', cost: '4', arrives: '50' }),
      sum('created'),
      sum('paid', { type: 'NGN::Mobile' }),
      sum('paid', { currency: 'EUR' }),
      sum('paid', { inputCurrency: 'GBP' }),
    ]);
    expect(
      totals.map(({ type, currency, inputCurrency, rows, amount, paid, open }) => [
        type,
        currency,
        inputCurrency,
        rows,
        amount,
        paid,
        open,
      ]),
    ).toEqual([
      ['NGN::Bank', 'NGN', 'EUR', 4, '350', '250', '100'],
      ['NGN::Mobile', 'NGN', 'EUR', 1, '100', '100', '0'],
      ['NGN::Bank', 'EUR', 'EUR', 1, '100', '100', '0'],
      ['NGN::Bank', 'NGN', 'GBP', 1, '100', '100', '0'],
    ]);
    expect(spent).toEqual({ EUR: '44', GBP: '8' });
  });
});

describe('a break', () => {
  it.each<[string, number, RowSum[], unknown[]]>([
    ['no row is missing', 1, [sum('paid')], []],
    ['a row is missing', 2, [sum('paid')], ['the run has 2 rows, and its states add up to 1']],
    [
      'a row is there too often',
      1,
      [sum('paid', { rows: 2 })],
      ['the run has 1 rows, and its states add up to 2'],
    ],
    [
      'less arrives',
      1,
      [sum('paid', { arrives: '90' })],
      [expect.stringMatching(/^100 NGN was planned .* the service says 90 NGN: 10 NGN apart$/)],
    ],
    ['it is written otherwise', 1, [sum('paid', { arrives: '100.00' })], []],
    [
      'one currency makes up for another',
      2,
      [sum('paid', { arrives: '90' }), sum('created', { currency: 'EUR', arrives: '110' })],
      [expect.stringContaining('10 NGN apart'), expect.stringContaining('-10.00 EUR apart')],
    ],
    ['two sums make one', 2, [sum('paid', { arrives: '90' }), sum('created', { arrives: '110' })], []],
  ])('where %s', (_, rows, sums, breaks) => {
    expect(standingOfRun(run(rows), sums).breaks).toEqual(breaks);
  });

  it.each<[RowState, number]>([
    ['planned', 0],
    ['sending', 0],
    ['created', 1],
    ['paid', 1],
    ['in_error', 1],
    ['refunded', 1],
    ['cancelled', 0],
    ['refused', 0],
    ['unknown', 0],
  ])('of what arrives for a row that is %s is told %i times', (state, times) => {
    expect(standingOfRun(run(1), [sum(state, { arrives: '0' })]).breaks).toHaveLength(times);
    expect(rowStates[state].exists).toBe(times === 1);
  });
});

describe('the end', () => {
  it.each<[RowState[], PayRun['state'], 'funded' | 'paid' | undefined, RunEnding]>([
    [['paid', 'unknown'], 'approved', undefined, 'unknown'],
    [['paid', 'sending'], 'approved', undefined, 'unknown'],
    [['paid', 'unknown'], 'cancelled', undefined, 'unknown'],
    [['paid', 'planned'], 'approved', undefined, 'under_way'],
    [['paid', 'planned'], 'paused', undefined, 'under_way'],
    [['paid', 'planned'], 'cancelled', undefined, 'some'],
    [['planned'], 'cancelled', undefined, 'none'],
    [['paid', 'created'], 'approved', undefined, 'done'],
    [['paid', 'created'], 'approved', 'funded', 'done'],
    [['paid', 'created'], 'approved', 'paid', 'under_way'],
    [['paid', 'paid'], 'approved', 'paid', 'done'],
    [['created'], 'approved', undefined, 'done'],
    [['refused', 'refused'], 'approved', undefined, 'none'],
    [['in_error'], 'approved', undefined, 'some'],
    [['paid', 'in_error'], 'approved', undefined, 'some'],
    [['paid', 'refunded'], 'approved', 'paid', 'some'],
    [['refunded'], 'approved', 'paid', 'none'],
  ])('of %j in a run that is %s, until %s, is %s', (states, state, until, ending) => {
    const sums = states.map((one) => sum(one));
    expect(standingOfRun(run(states.length, state), sums, until).ending).toBe(ending);
  });
});
