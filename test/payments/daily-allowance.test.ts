/** The payments that the gate let through, in the journal's file: counted once by name, for 24 hours, in one step with the judgement. */
import { beforeEach, describe, expect, it } from 'vitest';
import { LET_THROUGH_TABLE, STORE_VERSION } from '../../src/client/store/tables.ts';
import { sum } from '../../src/core/money.ts';
import { seededRandom } from '../../src/core/random.ts';
import { openDatabase } from '../../src/disk/driver.ts';
import {
  CEILING_MS,
  type CountedPayment,
  type DailyAllowance,
  type DayAmount,
  externalName,
  runName,
  transactionName,
} from '../../src/payments/store/daily-allowance-port.ts';
import { openStore } from '../support/open-store.ts';
import { type StandingClock, standingClock, temporaryStorePath } from '../support/stores.ts';

const payment = (amount: string, ...names: string[]): CountedPayment => ({
  names: names as unknown as CountedPayment['names'],
  amount,
  currency: 'EUR',
});
const open = (path: string, clock: StandingClock) => openStore(path, { clock, random: seededRandom(1) });
const refuseAbove = (most: number) => (lately: readonly DayAmount[]) =>
  Number(sum(lately.map(({ amount }) => amount))) > most ? 'refused' : undefined;
const agree = () => undefined;

let clock: StandingClock;
let letThrough: DailyAllowance;
beforeEach(async () => {
  clock = standingClock();
  ({ letThrough } = await open(temporaryStorePath(), clock));
});
let ids = 0;
const add = (...payments: CountedPayment[]) =>
  letThrough.add({ id: `admission-${++ids}`, profile: 'shop', payments }, agree);
const counted = async (profile = 'shop'): Promise<string[]> =>
  (await letThrough.usesWith({ profile, payments: [] })).map(({ name, amount }) => `${name} ${amount}`);

describe('what was let through', () => {
  it('is of its profile, oldest first, and outlives the process', async () => {
    const path = temporaryStorePath();
    const first = await open(path, clock);
    ({ letThrough } = first);
    await add(payment('1.10', 'a'));
    clock.advance(1);
    await add(payment('2.20', 'b'));
    first.close();
    ({ letThrough } = await open(path, clock));
    expect(await counted()).toEqual(['a 1.10', 'b 2.20']);
    expect(await counted('other')).toEqual([]);
  });

  it('counts once by its name, at the larger amount, from when it was let through last', async () => {
    await add(payment('5', 'a'));
    clock.advance(10);
    await add(payment('3', 'a'), payment('1', 'b'));
    expect(await counted()).toEqual(['a 5', 'b 1']);
    clock.advance(CEILING_MS - 10);
    // The 5 are a day old, and the 3 are not.
    expect(await counted()).toEqual(['a 3', 'b 1']);
  });

  it('is one by either of its names, once both are known', async () => {
    await add(payment('5', 'external_id e'));
    expect(
      await letThrough.usesWith({
        profile: 'shop',
        payments: [payment('4', 'transaction t', 'external_id e')],
      }),
    ).toEqual([expect.objectContaining({ name: 'transaction t', amount: '5' })]);
    expect(await counted()).toEqual(['external_id e 5']);
    await add(payment('4', 'transaction t', 'external_id e'));
    await add(payment('4', 'transaction t'));
    expect(await counted()).toEqual(['transaction t 5']);
  });

  it('of another currency is another entry', async () => {
    await add(payment('5', 'run 1'), { ...payment('6', 'run 1'), currency: 'GBP' });
    expect(await counted()).toEqual(['run 1 5', 'run 1 6']);
  });

  it('counts until 24 hours are over, to the millisecond', async () => {
    await add(payment('5', 'a'));
    clock.advance(CEILING_MS - 1);
    expect(await counted()).toEqual(['a 5']);
    clock.advance(1);
    expect(await counted()).toEqual([]);
  });

  it('stands where a clock was wrong for a while', async () => {
    await add(payment('5', 'a'));
    clock.advance(2 * CEILING_MS);
    await add(payment('1', 'b'));
    clock.advance(-2 * CEILING_MS);
    expect(await counted()).toEqual(['a 5', 'b 1']);
  });

  it('is forgotten after a week', async () => {
    const path = temporaryStorePath();
    const kept = await open(path, clock);
    ({ letThrough } = kept);
    await add(payment('5', 'a'));
    clock.advance(7 * CEILING_MS);
    await add(payment('1', 'b'));
    kept.close();
    const database = await openDatabase(path, { newest: STORE_VERSION, steps: {} });
    expect(database.all('SELECT name FROM let_through')).toEqual([{ name: 'b' }]);
    database.close();
  });
});

it('an external id that somebody chose passes for no transaction, and no run', () => {
  const id = '6f2c1e00-0000-4000-8000-000000000001';
  expect(new Set([transactionName(id), externalName(id), runName(id)]).size).toBe(3);
});

describe('judged', () => {
  it('with the new payments among the others; refused, nothing of it is kept, and no name changes', async () => {
    await add(payment('5', 'external_id e'));
    const payments = [payment('4', 'transaction t', 'external_id e'), payment('2', 'b')];
    const refused = await letThrough.add({ id: 'late', profile: 'shop', payments }, (lately) =>
      lately.map(({ name, amount }) => `${name} ${amount}`),
    );
    expect(refused).toEqual(['transaction t 5', 'b 2']);
    expect(await counted()).toEqual(['external_id e 5']);
  });

  it('of many at once, by several that have the file open, lets through no more than there is', async () => {
    const path = temporaryStorePath();
    const stores = await Promise.all([1, 2, 3].map(() => open(path, clock)));
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        stores[at % 3]?.letThrough.add(
          { id: `at-once-${at}`, profile: 'shop', payments: [payment('1', `p${at}`)] },
          refuseAbove(7),
        ),
      ),
    );
    expect(answers.filter((one) => one === undefined)).toHaveLength(7);
    ({ letThrough } = await open(path, clock));
    expect(await counted()).toHaveLength(7);
  });
});

describe('given back', () => {
  it('an admission counts no more, or those of its payments that are named; what others counted stands', async () => {
    const payments = [payment('1', 'a'), payment('2', 'b'), payment('3', 'c')];
    await letThrough.add({ id: 'first', profile: 'shop', payments }, agree);
    await letThrough.add({ id: 'second', profile: 'shop', payments: [payment('1', 'a')] }, agree);
    await letThrough.release('first', ['a', 'c', 'unknown']);
    expect(await counted()).toEqual(['b 2', 'a 1']);
    await letThrough.release('first');
    expect(await counted()).toEqual(['a 1']);
    await letThrough.release('second', []);
    expect(await counted()).toEqual(['a 1']);
  });
});

it('a journal of the version before gets the table, and keeps what it has', async () => {
  const path = temporaryStorePath();
  const kept = await open(path, clock);
  kept.seen.remember('acme', [{ kind: 'recipient', id: 'r-1' }]);
  kept.close();
  const names = [...LET_THROUGH_TABLE.matchAll(/CREATE TABLE (\w+)/g)].map(([, name]) => name);
  expect(names).toEqual(['let_through']);
  const database = await openDatabase(path, { newest: STORE_VERSION, steps: {} });
  for (const column of ['stands', 'elsewhere']) database.exec(`ALTER TABLE payrun_rows DROP COLUMN ${column}`);
  database.exec('DROP TABLE let_through; PRAGMA user_version = 16');
  database.close();
  const again = await open(path, clock);
  expect(again.seen.find('acme', 'r-1')).toMatchObject({ id: 'r-1' });
  ({ letThrough } = again);
  await add(payment('5', 'a'));
  expect(await counted()).toEqual(['a 5']);
});
