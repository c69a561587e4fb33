/** What stands under the external id of a row, whose it is, and what a run may end with that has such rows. */
import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/client/outcome.ts';
import type { Transaction } from '../../../src/contract/resources/transaction.ts';
import { type Hint, renderMessage } from '../../../src/core/next.ts';
import type { Problem } from '../../../src/core/problem.ts';
import {
  acceptPaidBefore,
  beforePause,
  foundRows,
  foundWords,
  paidBefore,
  refuseOtherNumber,
  whoseIs,
} from '../../../src/runs/paid-before.ts';
import { statusIn } from '../../../src/runs/row-status.ts';
import { runSummaryOf, summaryOfRun } from '../../../src/runs/run-summary.ts';
import type { FoundSum, PayRun, PayRuns, RowState } from '../../../src/runs/store/port.ts';
import { takenBefore } from '../../../src/runs/taken-id.ts';

const asked = {
  fund: true,
  madeId: false,
  transaction: {
    external_id: 'mine-1',
    input_currency: 'EUR',
    sender: { external_id: 'customer-1' },
    recipients: [
      {
        requested_amount: '1000',
        requested_currency: 'NGN',
        payout_method: { type: 'NGN::Bank', details: { bank_account: '0123456789' } },
      },
    ],
  },
} as unknown as Parameters<typeof statusIn>[0];

function record(over: Record<string, unknown> = {}, recipient: Record<string, unknown> = {}): Transaction {
  return {
    id: 't-1',
    external_id: 'mine-1',
    state: 'received',
    input_amount: '0.60',
    paid_amount: '0.60',
    input_currency: 'EUR',
    sender: { external_id: 'customer-1' },
    recipients: [
      {
        id: 'r-1',
        state: 'success',
        requested_amount: '1000',
        requested_currency: 'NGN',
        output_amount: '1000',
        output_currency: 'NGN',
        payout_method: { type: 'NGN::Bank', details: { bank_account: '0123456789' } },
        ...recipient,
      },
    ],
    ...over,
  } as unknown as Transaction;
}

describe('what stands under an external id', () => {
  it.each<[string, Transaction, object]>([
    ['the payment, paid out', record(), { kind: 'paid', news: { state: 'paid', cost: '0.60' } }],
    [
      'the payment, on its way',
      record({}, { state: 'pending' }),
      { kind: 'paid', news: { state: 'created' } },
    ],
    ['the payment, in error', record({}, { state: 'error' }), { kind: 'paid', news: { state: 'in_error' } }],
    ['its money is back', record({}, { state: 'refunded' }), { kind: 'ended', how: 'refunded' }],
    ['it was called off', record({}, { state: 'canceled' }), { kind: 'ended', how: 'cancelled' }],
    ['created, and not funded', record({ state: 'approved', paid_amount: '0' }), { kind: 'unfunded' }],
    [
      'never funded, and over',
      record({ state: 'canceled', paid_amount: '0' }),
      { kind: 'ended', how: 'cancelled' },
    ],
    [
      'another amount',
      record({}, { requested_amount: '2000' }),
      { kind: 'conflict', differences: ['recipients.0.requested_amount'] },
    ],
    [
      'another sender',
      record({ sender: { external_id: 'customer-2' } }),
      { kind: 'conflict', differences: ['sender.external_id'] },
    ],
  ])('%s', (_, found, standing) => {
    expect(statusIn(asked, found)).toMatchObject(standing);
  });
});

it.each([
  ['wages:E-1', 'elsewhere'],
  ['wages:E-1~2', 'elsewhere'],
  ['wages-2:E-1', 'before'],
  ['wages', 'before'],
  ['mine-1', 'before'],
])('of the run "wages" the id %s is %s', (externalId, whose) => {
  expect(whoseIs('wages', { externalId })).toBe(whose);
});

describe('the answer to the only send: the id is taken', () => {
  const existing = (value: Transaction): Outcome<Transaction> => ({
    kind: 'applied',
    how: 'existing',
    value,
  });
  const own = { externalId: 'mine-1', key: 'K' };

  it('by an equal payment: found, not known by whom; the run pauses', () => {
    expect(takenBefore('wages', own, existing(record()))).toEqual({
      verdict: {
        news: expect.objectContaining({ state: 'paid', found: 'before', transactionId: 't-1' }),
        isTooMuch: false,
        pause: { code: 'paid_before', why: 'row K was paid before, and not by this run' },
      },
      closing: { state: 'applied', resultId: 't-1', note: 'found, not known by whom' },
    });
  });

  it.each(['pending', 'refunded'])('under an id of the run: elsewhere, and nothing pauses (%s)', (state) => {
    const taken = takenBefore('wages', { ...own, externalId: 'wages:K' }, existing(record({}, { state })));
    expect(taken?.verdict).toEqual({
      news: expect.objectContaining({ found: 'elsewhere', state: state === 'pending' ? 'created' : state }),
      isTooMuch: false,
    });
    expect(taken?.closing).toEqual({
      state: 'applied',
      resultId: 't-1',
      note: 'found: paid elsewhere under an id of this run',
    });
  });

  it.each([
    ['refunded', record({}, { state: 'refunded' })],
    ['cancelled', record({}, { state: 'canceled' })],
  ])('by a payment that was %s: nothing was applied, and its id is used up', (how, value) => {
    expect(takenBefore('wages', own, existing(value))).toMatchObject({
      verdict: { news: { state: 'refused', code: 'external_id_used_up' } },
      closing: { state: 'not_applied', note: expect.stringContaining(how) },
    });
  });

  it('by one that was never funded and is over: the same; another payment is looked at as ever', () => {
    const conflict = (value: Transaction): Outcome<Transaction> => ({
      kind: 'conflict',
      value,
      differences: ['state: it exists and is not funded'],
    });
    const dead = record({ state: 'canceled', paid_amount: '0' });
    expect(takenBefore('wages', own, conflict(dead))).toMatchObject({
      verdict: { news: { state: 'refused', code: 'external_id_used_up' } },
    });
    expect(
      takenBefore('wages', own, conflict(record({ state: 'approved', paid_amount: '0' }))),
    ).toBeUndefined();
  });

  it.each<Outcome<Transaction>>([
    { kind: 'applied', how: 'answered', value: record() },
    { kind: 'applied', how: 'found', value: record() },
    { kind: 'unknown', error: undefined },
    { kind: 'not_applied', error: undefined },
  ])('anything else is not it: $kind $how', (outcome) => {
    expect(takenBefore('wages', own, outcome)).toBeUndefined();
  });
});

const sum = (found: FoundSum['found'], rows: number, over: Partial<FoundSum> = {}): FoundSum => ({
  found,
  state: 'paid',
  inputCurrency: 'EUR',
  rows,
  cost: String(rows * 5),
  estimate: String(rows * 4),
  ...over,
});
const run = (over: Partial<PayRun> = {}, plan: object = {}): PayRun =>
  ({
    id: 'run-1',
    name: 'wages',
    rows: 4,
    state: 'approved',
    account: { baseUrl: 'http://127.0.0.1:4010/v1' },
    plan: JSON.stringify({ version: 1, ...plan }),
    ...over,
  }) as PayRun;

describe('how many there are', () => {
  it('and what they cost, by whose they are and by currency', () => {
    const sums = [sum('before', 2), sum('before', 1, { inputCurrency: 'GBP' }), sum('elsewhere', 3)];
    expect(foundRows(sums, 'before')).toEqual({ rows: 3, costs: { EUR: '10', GBP: '5' } });
    expect(foundRows(sums, 'elsewhere')).toEqual({ rows: 3, costs: { EUR: '15' } });
    expect(foundWords(foundRows(sums, 'before'))).toBe('3 rows, 10.00 EUR, 5.00 GBP');
    expect(foundRows([], 'before')).toEqual({ rows: 0, costs: {} });
  });

  it.each<[Partial<PayRun>, object, number]>([
    [{}, {}, 0],
    [{}, { before: { rows: 2, costs: {} } }, 2],
    [{ acceptedBefore: 3 }, { before: { rows: 2, costs: {} } }, 3],
    [{ acceptedBefore: 1 }, { before: { rows: 2, costs: {} } }, 2],
  ])('accepted with %j and the plan %j: %i', (over, plan, accepted) => {
    expect(paidBefore(run(over, plan), [])).toMatchObject({ accepted });
  });
});

function problemOf(work: () => void): Problem {
  try {
    work();
  } catch (error) {
    return error as Problem;
  }
  throw new Error('nothing was thrown');
}
const plainly = (words: Hint): string =>
  renderMessage(words, (next) => ('give' in next ? `${next.give} ${next.value}` : 'another'));

describe('more than were accepted', () => {
  const stored = (sums: FoundSum[], now?: PayRun) =>
    ({
      found: async () => sums,
      find: async () => (now ? [now] : []),
      acceptBefore: async (...given: unknown[]) => void accepted.push(given),
    }) as unknown as PayRuns;
  let accepted: unknown[] = [];

  it('pause the run, until the number is accepted, whoever did it', async () => {
    const one = stored([sum('before', 1)]);
    expect(await beforePause(one, run())).toEqual({
      code: 'paid_before',
      why: '1 row, 5.00 EUR, was paid before, and not by this run',
    });
    expect((await beforePause(stored([sum('before', 2)]), run()))?.why).toContain('2 rows, 10.00 EUR, were');
    expect(await beforePause(stored([sum('before', 1)], run({ acceptedBefore: 1 })), run())).toBeUndefined();
    expect(await beforePause(stored([sum('before', 2)], run({ acceptedBefore: 1 })), run())).toBeDefined();
    expect(await beforePause(stored([sum('elsewhere', 2)]), run())).toBeUndefined();
    // The store is asked for the run only where there is something to ask about.
    const unread = { ...stored([]), find: () => Promise.reject(new Error('asked')) } as PayRuns;
    expect(await beforePause(unread, run(), [sum('elsewhere', 2)])).toBeUndefined();
    const both = stored([], run({ acceptedBefore: 1 }));
    expect(await beforePause(both, run(), [sum('before', 1), sum('elsewhere', 2)])).toBeUndefined();
    expect(await beforePause(both, run(), [sum('before', 2), sum('elsewhere', 2)])).toBeDefined();
    expect(await beforePause(stored([]), run(), [sum('before', 1)])).toBeDefined();
  });

  it('are accepted by their exact number alone', async () => {
    accepted = [];
    const two = stored([sum('before', 2), sum('elsewhere', 5)]);
    for (const number of [1, 3])
      await expect(acceptPaidBefore(two, run(), number)).rejects.toMatchObject({
        facts: { category: 'check', code: 'paid_before' },
      });
    expect(accepted).toEqual([]);
    await acceptPaidBefore(two, run(), 2);
    expect(accepted).toEqual([['run-1', 2]]);
  });

  it.each([
    [undefined, 0, [], undefined],
    [2, 2, ['a', 'b'], undefined],
    [undefined, 1, ['a'], '1 row of "wages" was paid before this run: a'],
    [1, 2, [], '2 rows of "wages" were paid before this run; you said 1'],
    [1, 12, ['a', 'b'], '12 rows of "wages" were paid before this run: a, b, and 10 more; you said 1'],
    [3, 0, [], 'no row of "wages" was paid before this run; you said 3'],
  ])('said %s of %i', (number, rows, named, words) => {
    const refuse = () => refuseOtherNumber({ name: 'wages' }, { said: number, rows, named });
    if (words === undefined) return expect(refuse).not.toThrow();
    const thrown = problemOf(refuse);
    expect(thrown.message).toBe(words);
    const hint = plainly(thrown.facts.hint ?? '');
    expect(hint).toBe(
      rows === 0
        ? 'leave the number out'
        : `look who paid them, and when. They are not paid again; to go on without them: accept_paid_before ${rows}`,
    );
  });
});

describe('where a run stands that has such rows', () => {
  const row = (state: RowState, cost = '5') => ({
    state,
    type: 'NGN::Bank',
    currency: 'NGN',
    inputCurrency: 'EUR',
    rows: 2,
    amount: '100',
    estimate: '4',
    cost,
    arrives: '100',
  });
  const standing = (sums: ReturnType<typeof row>[], found: FoundSum[], over: Partial<PayRun> = {}) =>
    summaryOfRun(run(over), { sums, found });

  it.each<[string, ReturnType<typeof row>[], FoundSum[], object]>([
    ['none of it is spent', [row('paid', '20')], [sum('before', 1)], { EUR: '15' }],
    [
      'nor of what was paid elsewhere',
      [row('created', '20')],
      [sum('elsewhere', 2, { state: 'created' })],
      { EUR: '10' },
    ],
    ['all of it', [row('paid', '10')], [sum('before', 2)], {}],
    [
      'what came back was not spent before',
      [row('paid', '20')],
      [sum('before', 1, { state: 'refunded' })],
      { EUR: '20' },
    ],
  ])('%s', (_, sums, found, spent) => {
    expect(standing(sums, found).spent).toEqual(spent);
  });

  it('is read from its sums and from what was found, of this run alone', async () => {
    const asked: unknown[] = [];
    const payruns = {
      sums: async (id: string) => {
        asked.push(`sums ${id}`);
        return [row('paid', '20'), row('created', '20')];
      },
      found: async (id: string) => {
        asked.push(`found ${id}`);
        return [sum('before', 2), sum('elsewhere', 1)];
      },
    } as unknown as PayRuns;
    const summary = await runSummaryOf(payruns, run({ acceptedBefore: 2 }));
    expect(asked).toEqual(['sums run-1', 'found run-1']);
    expect(summary).toMatchObject({
      ending: 'done',
      spent: { EUR: '25' },
      before: { rows: 2 },
      elsewhere: { rows: 1, costs: { EUR: '5' } },
    });
    expect((await runSummaryOf(payruns, run({ acceptedBefore: 2 }), 'paid')).ending).toBe('under_way');
  });

  it('it is done where each was accepted', () => {
    const sums = [row('paid', '20'), row('created', '20')];
    expect(standing(sums, [sum('before', 2)]).ending).toBe('some');
    expect(standing(sums, [sum('before', 2)], { acceptedBefore: 2 }).ending).toBe('done');
    expect(standing(sums, [sum('before', 2)], { acceptedBefore: 1 }).ending).toBe('some');
    expect(standing(sums, [sum('elsewhere', 2)]).ending).toBe('done');
    expect(standing(sums, [sum('before', 2)]).before).toEqual({ rows: 2, costs: { EUR: '10' }, accepted: 0 });
  });
});
