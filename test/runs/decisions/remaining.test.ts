/** What is left of a run: only rows for which surely nothing was paid, by the store and by the service, and none at all while one is unknown. */
import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/client/client.ts';
import type { Desk } from '../../../src/payments/desk.ts';
import { finder } from '../../../src/runs/finder.ts';
import { type Remaining, remainingRows } from '../../../src/runs/remaining.ts';
import {
  type PayRow,
  type PayRun,
  type PayRuns,
  ROW_STATES,
  type RowState,
} from '../../../src/runs/store/port.ts';

const run = {
  id: 'run-1',
  name: 'wages',
  plan: '{"version":1}',
  account: { baseUrl: 'http://127.0.0.1:4010/v1' },
} as PayRun;
const row = (n: number, state: RowState, over: Partial<PayRow> = {}): PayRow =>
  ({
    n,
    key: `E-${n}`,
    externalId: `wages:E-${n}`,
    state,
    body: `{"n":${n}}`,
    transactionId: undefined,
    ...over,
  }) as PayRow;
const leftOf = (n: number, externalId = `wages:E-${n}`) => ({
  n,
  key: `E-${n}`,
  externalId,
  body: `{"n":${n}}`,
});

/** A transaction of one recipient. */
const record = (external_id: string, state: string, recipient = 'initial', paid_amount = '0') => ({
  id: `of ${external_id}`,
  external_id,
  state,
  paid_amount,
  recipients: [{ state: recipient }],
});
type Record = ReturnType<typeof record>;

/** A service that has these, and lists them in pages. */
function serviceOf(records: readonly Record[], total: number | null = records.length) {
  const calls: unknown[] = [];
  const client = {
    async call(_: unknown, { query }: { query: { external_id?: string; page?: number; per?: number } }) {
      calls.push(query);
      const { external_id: wanted, page = 1, per = 10 } = query;
      const found =
        wanted === undefined
          ? records.slice((page - 1) * per, page * per)
          : records.filter(({ external_id }) => external_id === wanted);
      const next_page = wanted === undefined && page * per < records.length ? page + 1 : null;
      return { object: found, meta: { pagination: { next_page, total_count: total } } };
    },
  } as unknown as Client;
  return { client, calls };
}

function left(
  rows: readonly PayRow[],
  {
    refunded = false,
    file,
    records = [],
    service = serviceOf(records),
    plan = run.plan,
  }: {
    refunded?: boolean;
    file?: string;
    records?: Record[];
    service?: ReturnType<typeof serviceOf>;
    plan?: string;
  } = {},
): Promise<Remaining> {
  const payruns = {
    move: async () => false,
    sums: async () => rows.map(({ state }) => ({ state, rows: 1 })),
    rows: async (
      _: string,
      { states = [], after = 0, limit = 1000 }: { states?: RowState[]; after?: number; limit?: number },
    ) => rows.filter((one) => states.includes(one.state) && one.n > after).slice(0, limit),
  } as unknown as PayRuns;
  const desk = { client: async () => service.client } as unknown as Desk;
  return remainingRows(desk, payruns, { ...run, plan }, { refunded, file });
}

describe('a row that is', () => {
  const NEVER: RowState[] = ['planned', 'refused', 'cancelled'];

  it.each(ROW_STATES.filter((state) => state !== 'unknown' && state !== 'sending'))('%s', async (state) => {
    const whole = { left: [leftOf(1)], standing: [] };
    const nothing = { left: [], standing: [] };
    expect(await left([row(1, state)])).toEqual(NEVER.includes(state) ? whole : nothing);
    const withRefunded = NEVER.includes(state) || state === 'refunded';
    expect(await left([row(1, state)], { refunded: true })).toEqual(withRefunded ? whole : nothing);
  });

  it.each(['unknown', 'sending'] as const)('%s keeps every other from a new file', async (state) => {
    const rows = [row(1, 'planned'), row(2, state), row(3, state)];
    await expect(left(rows)).rejects.toMatchObject({
      message: 'of 2 rows it is not known whether they were paid: they can be in no new file',
      facts: {
        category: 'unknown',
        code: 'rows_unknown',
        outcome: 'unknown',
        hint: { parts: ['first ', { do: 'settle_run', name: 'wages' }] },
      },
    });
  });

  it.each<[string | undefined, boolean]>([
    ['/rest.csv', true],
    ['/other.csv', false],
    [undefined, false],
  ])('handed on to /rest.csv is in a file %s again: %s', async (file, isLeft) => {
    const handed = { file: '/rest.csv', as: 'wages:E-1~2', from: 'refused' as const };
    const records = [record('wages:E-1~2', 'received', 'pending', '10')];
    expect(await left([row(1, 'handed_on', { handed })], { ...(file && { file }), records })).toEqual({
      left: isLeft ? [leftOf(1, 'wages:E-1~2')] : [],
      standing: [],
    });
  });
});

describe('what the store calls a transaction of the row', () => {
  it.each<[RowState, boolean, boolean]>([
    ['cancelled', false, false],
    ['cancelled', true, true],
    ['planned', false, false],
    ['refunded', false, false],
    ['refunded', true, true],
  ])('that is %s, with --refunded %s, leaves it in a new file: %s', async (state, refunded, isLeft) => {
    const found = await left([row(1, state, { transactionId: 't1' })], { refunded });
    expect(found.left).toEqual(isLeft ? [leftOf(1)] : []);
  });
});

describe('what the service has under the external id', () => {
  it.each<[string, Record[], string | undefined]>([
    ['nothing', [], 'wages:E-1'],
    ['another row', [record('wages:E-2', 'paid', 'success', '10')], 'wages:E-1'],
    ['a payment', [record('wages:E-1', 'paid', 'success', '10')], undefined],
    ['a payment under way', [record('wages:E-1', 'received', 'pending', '10')], undefined],
    ['one in error', [record('wages:E-1', 'received', 'error', '10')], undefined],
    ['one that is not paid yet', [record('wages:E-1', 'approved')], undefined],
    ['one that nobody funded', [record('wages:E-1', 'canceled', 'canceled')], 'wages:E-1~2'],
    ['one that was cancelled', [record('wages:E-1', 'canceled', 'canceled', '10')], 'wages:E-1~2'],
    ['one that was refunded', [record('wages:E-1', 'refunded', 'refunded', '10')], 'wages:E-1~2'],
    [
      'two that came to nothing',
      [record('wages:E-1', 'refunded', 'refunded', '10'), record('wages:E-1~2', 'canceled', 'canceled')],
      'wages:E-1~3',
    ],
    [
      'one that came to nothing, and one that pays it',
      [record('wages:E-1', 'refunded', 'refunded', '10'), record('wages:E-1~2', 'approved')],
      undefined,
    ],
  ])('%s', async (_, records, externalId) => {
    // Three rows against few records are looked up by pages, one alone by itself.
    for (const rows of [[row(1, 'planned')], [row(1, 'planned'), row(7, 'planned'), row(8, 'planned')]]) {
      const found = await left(rows, { records });
      expect(found.left.find(({ n }) => n === 1)?.externalId).toBe(externalId);
      expect(found.standing).toEqual(externalId === undefined ? ['E-1'] : []);
    }
  });
});

describe('the service is asked', () => {
  const many = (count: number): Record[] =>
    Array.from({ length: count }, (_, i) => record(`x-${i}`, 'paid', 'success', '10'));

  it.each<[number, number, number | null, 'pages' | 'one by one', number]>([
    [1, 5, 5, 'one by one', 1],
    [3, 5, 5, 'pages', 2],
    [3, 250, 250, 'pages', 4],
    [2, 250, 250, 'one by one', 3],
    [2, 5, null, 'one by one', 3],
  ])('about %i rows among %i records (it says %s) %s: %i calls', async (rows, records, total, how, calls) => {
    const service = serviceOf(many(records), total);
    const find = await finder(service.client, rows);
    for (let i = 0; i < rows; i++) expect((await find(`x-${i}`))?.external_id).toBe(`x-${i}`);
    expect(service.calls).toHaveLength(calls);
    expect(service.calls.some((query) => (query as { external_id?: string }).external_id)).toBe(
      how !== 'pages',
    );
  });
});

it('rows that were handed on are in the file again, and are not looked up', async () => {
  const handed = { file: '/rest.csv', as: 'x', from: 'planned' as const };
  const rows = [row(1, 'planned'), ...[2, 3, 4].map((n) => row(n, 'handed_on', { handed }))];
  const service = serviceOf(Array.from({ length: 250 }, (_, i) => record(`x-${i}`, 'paid', 'success', '10')));
  const found = await left(rows, { file: '/rest.csv', service });
  expect(found.left.map(({ n }) => n)).toEqual([1, 2, 3, 4]);
  // One row is asked about by itself; four would have been two pages and more.
  expect(service.calls).toEqual([{ external_id: 'wages:E-1' }]);
});

it('a row that was handed on, and does not say where, is in no file', async () => {
  const lost = row(2, 'handed_on', { handed: undefined });
  expect((await left([row(1, 'planned'), lost], { file: '/rest.csv' })).left.map(({ n }) => n)).toEqual([1]);
});

it('rows that were handed on do not count for whether pages are fewer calls', async () => {
  const handed = { file: '/rest.csv', as: 'x', from: 'planned' as const };
  const records = Array.from({ length: 250 }, (_, i) => record(`x-${i}`, 'paid', 'success', '10'));
  const service = serviceOf(records);
  const rows = [1, 2, 3].map((n) => row(n, 'planned')).concat(row(4, 'handed_on', { handed }));
  await left(rows, { file: '/rest.csv', service });
  expect(service.calls.every((query) => (query as { external_id?: string }).external_id === undefined)).toBe(
    true,
  );
});

it('a list that shows less is asked again about the row itself', async () => {
  const whole = record('wages:E-1', 'refunded', 'refunded', '10');
  const service = serviceOf([whole]);
  const { call } = service.client as unknown as {
    call: (...all: unknown[]) => Promise<{ object: Record[] }>;
  };
  const client = {
    call: async (operation: unknown, args: { query: { external_id?: string } }) => {
      const answer = await call(operation, args);
      return args.query.external_id === undefined
        ? { ...answer, object: answer.object.map((one) => ({ ...one, recipients: null })) }
        : answer;
    },
  } as unknown as Client;
  const find = await finder(client, 2);
  expect(await find('wages:E-1')).toEqual(whole);
  expect(await find('wages:E-2')).toBeUndefined();
});

it('rows that were changed in the store are not written to a file', async () => {
  const plan = JSON.stringify({ version: 1, windows: ['0'], totals: [], rates: {}, ceilings: {} });
  await expect(left([row(1, 'planned')], { plan })).rejects.toMatchObject({ facts: { code: 'run_altered' } });
});

it('many rows are read in pages, each once', async () => {
  const rows = Array.from({ length: 501 }, (_, i) => row(i + 1, 'planned'));
  const found = await left(rows);
  expect(found.left).toHaveLength(501);
  expect(new Set(found.left.map(({ key }) => key)).size).toBe(501);
});
