/** What is left of a run: only rows for which surely nothing was paid, and none at all while one is unknown. */
import { describe, expect, it } from 'vitest';
import {
  type PayRow,
  type PayRun,
  type PayRuns,
  ROW_STATES,
  type RowState,
} from '../../../src/core/ports/payruns.ts';
import { type Left, remainingRows } from '../../../src/desk/payruns/remaining.ts';

const run = { id: 'run-1', name: 'wages' } as PayRun;
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

/** A store that has these rows and answers as many at a time as it is asked for. */
function storeOf(rows: readonly PayRow[]) {
  const asked: unknown[] = [];
  const payruns = {
    sums: async () => rows.map(({ state }) => ({ state, rows: 1 })),
    rows: async (
      id: string,
      { states = [], after = 0, limit = 1000 }: { states?: RowState[]; after?: number; limit?: number },
    ) => {
      asked.push([id, after, limit]);
      return rows.filter((one) => states.includes(one.state) && one.n > after).slice(0, limit);
    },
  } as unknown as PayRuns;
  return { payruns, asked };
}

async function left(rows: readonly PayRow[], refunded = false): Promise<Left[][]> {
  const pages: Left[][] = [];
  for await (const page of remainingRows(storeOf(rows).payruns, run, { refunded })) pages.push(page);
  return pages;
}

describe('a row that is', () => {
  const NEVER: RowState[] = ['planned', 'refused', 'cancelled'];

  it.each(ROW_STATES.filter((state) => state !== 'unknown' && state !== 'sending'))('%s', async (state) => {
    const expected = [[{ key: 'E-1', externalId: undefined, body: '{"n":1}' }]];
    expect(await left([row(1, state)])).toEqual(NEVER.includes(state) ? expected : []);
    const withRefunded = NEVER.includes(state) || state === 'refunded';
    expect(await left([row(1, state)], true)).toEqual(withRefunded ? expected : []);
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
});

describe('a transaction of a row', () => {
  // It exists at the service: the same external id would be refused, or taken for it.
  it.each<[RowState, boolean]>([
    ['cancelled', false],
    ['planned', false],
    ['refused', false],
    ['refunded', true],
  ])('that is %s leaves it in a new file: %s', async (state, isLeft) => {
    const pages = await left([row(1, state, { transactionId: 't1', externalId: 'mine-1' })], true);
    expect(pages.flat()).toEqual(isLeft ? [{ key: 'E-1', externalId: undefined, body: '{"n":1}' }] : []);
  });
});

it.each([
  ['wages:E-1', undefined],
  ['mine-1', 'mine-1'],
  ['wages:E-2', 'wages:E-2'],
])('the external id %s stays as %s', async (externalId, stays) => {
  expect((await left([row(1, 'planned', { externalId })])).flat()).toMatchObject([{ externalId: stays }]);
});

it('many rows come in pages, each once', async () => {
  const rows = Array.from({ length: 501 }, (_, i) => row(i + 1, 'planned'));
  const pages = await left(rows);
  expect(pages.map(({ length }) => length)).toEqual([500, 1]);
  expect(new Set(pages.flat().map(({ key }) => key)).size).toBe(501);
});
