/** The rest of a run is handed on in one order: nobody begins a row, the file is whole, its rows are closed. */
import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/client/client.ts';
import type { Confirmer } from '../../../src/payments/gate.ts';
import { handOn, keyList, takeBack } from '../../../src/runs/hand-on.ts';
import { keysPaid, type Left } from '../../../src/runs/remaining.ts';
import type { HandedRow, PayRow, PayRun, PayRuns, RowState } from '../../../src/runs/store/port.ts';
import { deskOver } from '../../support/desk.ts';
import { plannedRows } from '../../support/planned-rows.ts';

const account = { baseUrl: 'http://127.0.0.1:4010/v1' };
const run = { id: 'run-1', name: 'wages', account, plan: '{"version":1}' } as PayRun;
const FILE = '/somewhere/rest.csv';
const confirmer: Confirmer = {
  isAttended: true,
  stance: () => ({ kind: 'asks' }),
  confirm: async () => true,
};

function stage({
  state = 'approved',
  begun = [],
  dies,
  taken = [],
}: {
  state?: string;
  /** Rows that somebody begins between the file and their closing. */
  begun?: number[];
  dies?: 'file' | 'closing';
  /** External ids that the service knows. */
  taken?: string[];
} = {}) {
  const rows = plannedRows('wages', ['a', 'b', 'c']) as (PayRow & { handed: HandedRow | undefined })[];
  for (const row of rows)
    row.body = JSON.stringify({ input_currency: 'EUR', sender: { id: 's-1' }, recipients: [] });
  const done: string[] = [];
  const written: (readonly Left[])[] = [];
  let [now, death] = [state, dies];
  const payruns = {
    find: async () => [run],
    sums: async () => rows.map((row) => ({ state: row.state, rows: 1 })),
    rows: async (_: string, { states, after = 0 }: { states: RowState[]; after?: number }) =>
      rows.filter((row) => states.includes(row.state) && row.n > after),
    move: async (_: string, from: string[], to: string) => {
      const isMoved = from.includes(now);
      if (isMoved) now = to;
      done.push(`${isMoved ? 'is' : 'stays'} ${now}`);
      return isMoved;
    },
    handOn: async (_: string, given: { n: number; as: string }[], file: string) => {
      done.push(`close ${given.length}`);
      let closed = 0;
      for (const { n, as } of given) {
        const row = rows[n - 1];
        if (row?.state !== 'planned') continue;
        Object.assign(row, { state: 'handed_on', handed: { file, as, from: row.state } });
        closed += 1;
        if (death === 'closing') throw new Error('killed');
      }
      return closed;
    },
    takeBack: async (_: string, ns: number[]) => {
      done.push(`take back ${ns.join(' ')}`);
      return ns.length;
    },
  } as unknown as PayRuns;
  Object.assign(payruns, {
    list: async () => [run],
    draft: async () => ({
      append: async () => {},
      repeated: async () => ({ rows: 0, first: [], runs: [] }),
      discard: async () => {},
    }),
  });
  const client = {
    call: async (_: unknown, { query }: { query: { external_id?: string } }) => ({
      object: taken
        .filter((id) => query.external_id === undefined || query.external_id === id)
        .map((external_id) => ({ external_id, state: 'received', recipients: [{ state: 'pending' }] })),
      meta: { pagination: { total_count: taken.length, next_page: null } },
    }),
  } as unknown as Client;
  const transport = async () => {
    throw new Error('it is asked through the client');
  };
  const desk = { ...deskOver({ transport, clock: { now: () => 77 } }), client: async () => client };
  const hand = () =>
    handOn(desk, payruns, run, {
      file: FILE,
      refunded: false,
      confirmer,
      write: async (left) => {
        done.push(`write ${left.length}`);
        written.push(left);
        if (death === 'file') throw new Error('killed');
        for (const n of begun) Object.assign(rows[n - 1] as PayRow, { state: 'sending' });
        return true;
      },
    });
  const back = () => takeBack(desk, payruns, run, { confirmer, repeats: [] });
  return { desk, rows, done, written, hand, back, revive: () => (death = undefined) };
}

describe('handing on', () => {
  it.each<[string, string[]]>([
    ['approved', ['is paused', 'write 3', 'close 3', 'is approved']],
    ['planned', ['stays planned', 'write 3', 'close 3']],
    ['paused', ['stays paused', 'write 3', 'close 3']],
    ['cancelled', ['stays cancelled', 'write 3', 'close 3']],
  ])('a run that is %s: %j', async (state, order) => {
    const { hand, done } = stage({ state });
    await hand();
    expect(done).toEqual(order);
  });

  it.each<['file' | 'closing', number]>([
    ['file', 0],
    ['closing', 1],
  ])('killed at the %s, the same again writes the same file and closes every row', async (dies, closed) => {
    const { hand, rows, written, revive } = stage({ dies });
    await expect(hand()).rejects.toThrow('killed');
    expect(rows.filter(({ state }) => state === 'handed_on')).toHaveLength(closed);
    revive();
    await hand();
    expect(written[1]).toEqual(written[0]);
    expect(rows.map(({ state }) => state)).toEqual(['handed_on', 'handed_on', 'handed_on']);
  });

  it('names rows that somebody began meanwhile: they are in the file, and not this file’s alone', async () => {
    await expect(stage({ begun: [2] }).hand()).rejects.toMatchObject({
      message: 'row b was begun by this run meanwhile, and is in the file too',
      facts: { category: 'conflict', code: 'rows_begun' },
    });
    await expect(stage({ begun: [1, 3] }).hand()).rejects.toThrow('rows a, c were begun');
  });

  it('leaves out and names what the service has', async () => {
    const { hand, written } = stage({ taken: ['wages:b'] });
    expect(await hand()).toMatchObject({ standing: ['b'] });
    expect(written[0]?.map(({ key }) => key)).toEqual(['a', 'c']);
    await expect(stage({ taken: ['wages:a', 'wages:b', 'wages:c'] }).hand()).rejects.toMatchObject({
      message: 'no row of run "wages" is left to hand on',
      facts: { category: 'conflict', hint: 'the service has a payment of rows a, b, c' },
    });
  });
});

it('taking back opens those of which the service has no record', async () => {
  const { hand, back, done } = stage();
  await hand();
  expect(await back()).toEqual({ rows: 3, standing: [] });
  expect(done.at(-1)).toBe('take back 1 2 3');
  const known = stage({ taken: ['wages:c'] });
  for (const row of known.rows)
    Object.assign(row, { state: 'handed_on', handed: { file: FILE, as: row.externalId, from: 'planned' } });
  expect(await known.back()).toEqual({ rows: 2, standing: ['c'] });
  expect(known.done).toEqual(['take back 1 2']);
});

it('taking back looks under the external id that a row has in the file', async () => {
  const at = stage({ taken: ['wages:a', 'wages:b~2'] });
  for (const row of at.rows)
    Object.assign(row, {
      state: 'handed_on',
      handed: { file: FILE, as: `${row.externalId}~2`, from: 'refunded' },
    });
  expect(await at.back()).toEqual({ rows: 2, standing: ['b'] });
});

it('rows that were cancelled are looked for under their own', async () => {
  const { rows, desk } = stage({ taken: ['wages:a', 'wages:b~2'] });
  expect(await keysPaid(desk, rows)).toEqual(['a']);
});

it('names at most ten rows', () => {
  const keys = Array.from({ length: 12 }, (_, i) => `r${i}`);
  expect(keyList(keys)).toBe('rows r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, and 2 more');
  expect(keyList(['a'])).toBe('row a');
});
