/** Rows that are paid again: wages of every week need no word, a file that was renamed does. */
import { describe, expect, it } from 'vitest';
import type { Client } from '../../../src/client/client.ts';
import { listAccounts } from '../../../src/contract/operations/accounts.ts';
import { seededRandom } from '../../../src/core/random.ts';
import type { FilePayment } from '../../../src/runs/files/payment.ts';
import { planRun } from '../../../src/runs/plan.ts';

import { deskOver } from '../../support/desk.ts';
import { memoryStore, standingClock } from '../../support/stores.ts';

const DAY = 24 * 3_600_000;
const START = Date.parse('2026-01-05T09:00:00Z');

const payment = (n: number, account: number): FilePayment =>
  ({
    n,
    at: `line ${n + 1}`,
    key: `E-${n}`,
    externalId: undefined,
    type: 'NGN::Bank',
    amount: '50000',
    currency: 'NGN',
    inputCurrency: 'EUR',
    account: account.toString(16).padStart(13, '0'),
    payee: account.toString(16).padStart(13, '0'),
    sender: undefined,
    body: { input_currency: 'EUR', recipients: [{ requested_amount: '50000', requested_currency: 'NGN' }] },
    roundings: [],
  }) as unknown as FilePayment;

/** Who plans, in one store, on days of the service's; the clock of the machine stands. */
async function planner(limits: { repeat_days?: number } = {}) {
  const clock = standingClock();
  let date: string | undefined;
  const client = {
    call: async ({ id }: { id: string }) =>
      id === listAccounts.id
        ? { object: [{ currency: 'EUR', amount: '100000' }] }
        : { object: [{ code: 'EUR', opposites: [{ code: 'NGN', rate: '1000' }] }] },
    raw: async () => ({ status: 200, headers: date === undefined ? {} : { date }, body: '{}' }),
    date: () => (date === undefined ? undefined : Date.parse(date)),
  } as unknown as Client;
  const transport = async () => {
    throw new Error('the client of this desk has no network');
  };
  const desk = { ...deskOver({ transport, clock, limits }), client: async () => client };
  const local = await memoryStore(clock, seededRandom(3));
  const payruns = await local.payruns();
  return {
    payruns,
    /** Accounts on the day so many after the first; undefined where the service does not say. @throws Problem */
    async plan(name: string, day: number | undefined, accounts: readonly number[], repeats: string[] = []) {
      date = day === undefined ? undefined : new Date(START + day * DAY).toUTCString();
      async function* rows() {
        yield {
          payments: accounts.map((account, index) => payment(index + 1, account)),
          faults: [],
          doubts: [],
        };
      }
      const ended = await planRun(
        desk,
        { payruns, intents: local.intents },
        {
          name,
          rows: rows(),
          maxInput: { EUR: '100000' },
          tolerance: '0.01',
          repeats,
          askCeiling: async () => ({}),
        },
      );
      if (ended.kind !== 'planned') throw new Error('the rows have no faults');
      return ended.planned;
    },
  };
}

const FIVE = [1, 2, 3, 4, 5];
const refused = { facts: { category: 'check', code: 'run_repeated' } };

describe('who is paid the same again and again', () => {
  it.each<[string, number, (turn: number) => number]>([
    ['12 months', 12, (turn) => (Date.UTC(2026, turn, 5) - Date.UTC(2026, 0, 5)) / DAY],
    ['26 fortnights', 26, (turn) => turn * 14],
    ['52 weeks', 52, (turn) => turn * 7],
  ])('needs no word in %s', async (_, turns, dayOf) => {
    const { plan } = await planner();
    for (let turn = 0; turn < turns; turn++)
      expect((await plan(`wages-${turn}`, dayOf(turn), FIVE)).plan.repeated.rows).toBe(turn === 0 ? 0 : 5);
  });

  it('needs it for rows that were handed on, under other external ids: they may be paid from their file', async () => {
    const { plan, payruns } = await planner();
    const { run } = await plan('wages', 0, FIVE);
    const rows = FIVE.slice(1).map((n) => ({ n, as: `wages:E-${n}` }));
    await payruns.handOn(run.id, rows, '/rest.csv');
    await expect(plan('rest', 0, FIVE.slice(1))).rejects.toMatchObject(refused);
    await expect(plan('rest', 0, FIVE.slice(1), ['wages'])).resolves.toMatchObject({ stood: false });
  });
});

it('the renamed file of the next day is refused, and nothing of it is kept', async () => {
  const { plan, payruns } = await planner();
  await plan('wages', 0, FIVE);
  await expect(plan('wages-final', 1, FIVE)).rejects.toMatchObject({
    facts: {
      category: 'check',
      code: 'run_repeated',
      message:
        '5 of 5 rows pay the same account the same amount as the run "wages", which was planned a day before: rows that are paid again sooner than after 6 days may be the same file',
      outcome: 'not applied',
    },
  });
  expect((await payruns.list()).map(({ name }) => name)).toEqual(['wages']);
  await expect(plan('wages-final', 1, FIVE, ['other'])).rejects.toMatchObject(refused);
  await expect(plan('wages-final', 1, FIVE, ['wages'])).resolves.toMatchObject({ stood: false });
});

it.each<[string, readonly number[], boolean]>([
  ['all', FIVE, true],
  ['most', [1, 2, 3, 14, 15], true],
  ['half', [1, 2, 13, 14], false],
  ['one', [1, 12, 13], false],
  ['the one there is', [1], true],
])('of the rows, %s are the same', async (_, accounts, isRefused) => {
  const { plan } = await planner();
  await plan('wages', 0, FIVE);
  const again = plan('other', 0, accounts);
  await (isRefused ? expect(again).rejects.toMatchObject(refused) : expect(again).resolves.toBeDefined());
});

it.each<[number | undefined, number | undefined, boolean]>([
  [undefined, 5.99, true],
  [undefined, 6, false],
  [undefined, -3, true],
  [undefined, undefined, true],
  [0, 0, false],
  [20, 19, true],
  [20, 20, false],
])('with repeat_days %s, on day %s: refused %s', async (days, day, isRefused) => {
  const { plan } = await planner(days === undefined ? {} : { repeat_days: days });
  await plan('wages', 0, FIVE);
  const again = plan('other', day, FIVE);
  await (isRefused ? expect(again).rejects.toMatchObject(refused) : expect(again).resolves.toBeDefined());
});

it('a known run is answered as it stands, also beside one with the same rows', async () => {
  const { plan } = await planner();
  await plan('wages', 0, FIVE);
  await plan('wages-2', 1, FIVE, ['wages']);
  for (const name of ['wages', 'wages-2'])
    await expect(plan(name, 1, FIVE)).resolves.toMatchObject({ stood: true });
});
