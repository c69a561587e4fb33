/** One suite over every journal of intents: in memory, in a file, and in PostgreSQL. */
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { intentsInMemory } from '../../src/client/store/memory-intents.ts';
import type { IntentFilter, Intents, NewIntent } from '../../src/client/store/port.ts';
import { intentsInPostgres } from '../../src/client/store/postgres-intents.ts';
import type { KeyJoin } from '../../src/core/account.ts';
import type { Clock } from '../../src/core/clock.ts';
import { seededRandom } from '../../src/core/random.ts';
import { ownDatabase } from '../support/one-postgres.ts';
import { openStore } from '../support/open-store.ts';
import { openPool, type PostgresDatabase } from '../support/postgres.ts';
import { type StandingClock, standingClock, temporaryStorePath } from '../support/stores.ts';

const intent = (over: Partial<NewIntent> = {}): NewIntent => ({
  command: 'tx create --fund',
  operation: 'transactions.createAndFund',
  profile: 'acme-sandbox',
  environment: 'sandbox',
  baseUrl: 'http://127.0.0.1:4010/v1',
  keyLast4: '3f2a',
  digest: 'd1',
  externalId: 'T-1',
  summary: '25.00 EUR to A… O…',
  request: '{"transaction":{}}',
  ...over,
});

interface Kept {
  intents: Intents;
  /** The same journal, as another process has it. */
  other: Intents;
  close(): unknown;
}

let server: PostgresDatabase;
let pool: pg.Pool;
let tables = 0;
beforeAll(async () => {
  server = await ownDatabase();
  pool = openPool(server, 20);
});
afterAll(async () => {
  await pool.end();
  await server.stop();
});

const makers: [string, (clock: Clock) => Promise<Kept>][] = [
  [
    'in memory',
    async (clock) => {
      const intents = intentsInMemory({ clock, random: seededRandom(7) });
      return { intents, other: intents, close() {} };
    },
  ],
  [
    'on disk',
    async (clock) => {
      const path = temporaryStorePath();
      const one = await openStore(path, { clock, random: seededRandom(7) });
      const two = await openStore(path, { clock, random: seededRandom(8) });
      return {
        intents: one.intents,
        other: two.intents,
        close: () => {
          one.close();
          two.close();
        },
      };
    },
  ],
  [
    'in PostgreSQL',
    async (clock) => {
      const table = `intents_${tables++}`;
      const open = (seed: number) => intentsInPostgres(pool, { clock, random: seededRandom(seed), table });
      const [intents, other] = [open(7), open(8)];
      await Promise.all([intents.prepare(), other.prepare()]);
      return { intents, other, close: () => pool.query(`DROP TABLE ${table}`) };
    },
  ],
];

describe.each(makers)('intents %s', (_name, make) => {
  let clock: StandingClock;
  let kept: Kept;
  let intents: Intents;
  beforeEach(async () => {
    clock = standingClock();
    kept = await make(clock);
    intents = kept.intents;
  });
  afterEach(() => kept.close());

  const open = async (over: Partial<NewIntent> = {}) => {
    const result = await intents.open(intent(over));
    if (!('opened' in result)) throw new Error('refused');
    return result.opened;
  };
  /** The ids that a judge is shown for a digest. */
  const alike = async (digest = 'd1'): Promise<string[]> => {
    const shown = await intents.open(intent({ digest }), (found) => ({ ids: found.map(({ id }) => id) }));
    return 'refused' in shown ? shown.refused.ids : [];
  };

  it('opens one with everything it was given, and reads it back', async () => {
    const opened = await open({ pid: 7, host: 'payments-1', madeId: true });
    expect(opened).toEqual({
      ...intent({ pid: 7, host: 'payments-1', madeId: true }),
      id: opened.id,
      state: 'open',
      createdAt: clock.now(),
      updatedAt: clock.now(),
    });
    expect(await intents.get(opened.id)).toEqual(opened);
    expect(await intents.get('no such id')).toBeUndefined();
  });

  it('is known by a new digest from then on', async () => {
    const opened = await open({ digest: 'by old rules' });
    await intents.rekey(opened.id, 'by new rules');
    expect([await alike('by old rules'), await alike('by new rules')]).toEqual([[], [opened.id]]);
  });

  it('shows a judge what is open or unknown of the same digest, newest first, and writes nothing where it refuses', async () => {
    const first = await open();
    await open({ digest: 'd2' });
    expect(await alike()).toEqual([first.id]);
    await intents.close(first.id, { state: 'unknown' });
    const second = await open({ profile: 'other' });
    expect(await alike()).toEqual([second.id, first.id]);
    expect(await intents.list()).toHaveLength(3);
  });

  it('shows a judge no payment that has another id of the caller’s', async () => {
    const shown = async (over: Partial<NewIntent>) => {
      const asked = await intents.open(intent(over), (found) => ({ ids: found.map(({ id }) => id) }));
      return 'refused' in asked ? asked.refused.ids : [];
    };
    const march = await open({ externalId: 'march' });
    const made = await open({ externalId: 'made-1', madeId: true });
    const april = await open({ externalId: 'april' });
    expect(await shown({ externalId: 'april' })).toEqual([april.id, made.id]);
    expect(await shown({ externalId: 'may' })).toEqual([made.id]);
    expect(await shown({ externalId: 'made-2', madeId: true })).toEqual([april.id, made.id, march.id]);
    expect(await shown({ externalId: undefined })).toEqual([april.id, made.id, march.id]);
  });

  it('shows a judge what is open about the same subject too, after the others', async () => {
    const subject = 'r-1';
    const other = await open({ digest: 'd2', subject });
    const unknown = await open({ digest: 'd3', subject });
    await intents.close(unknown.id, { state: 'unknown' });
    await open({ digest: 'd2', subject: 'r-2' });
    const same = await open({ subject });
    const asked = await intents.open(intent({ subject }), (found) => ({ ids: found.map(({ id }) => id) }));
    expect(asked).toEqual({ refused: { ids: [same.id, other.id] } });
    expect(await alike()).toEqual([same.id]);
  });

  it('of two about one subject at the same moment, each sees the other or is seen', async () => {
    const wanting = [intents, kept.other].map((one, at) =>
      one.open(intent({ digest: `e${at}`, subject: 'r-9' }), ([earlier]) => earlier?.id),
    );
    const got = await Promise.all(wanting);
    expect(got.filter((one) => 'opened' in one)).toHaveLength(1);
  });

  it('opens it where the judge has nothing to say, or is not asked', async () => {
    await open();
    expect('opened' in (await intents.open(intent(), () => undefined))).toBe(true);
    expect('opened' in (await intents.open(intent()))).toBe(true);
    expect(await intents.list({ states: ['open'] })).toHaveLength(3);
  });

  it('of those who want the same at the same moment, here and in another process, one gets it', async () => {
    const wanting = [intents, kept.other, intents, kept.other, intents, kept.other].map((one) =>
      one.open(intent(), ([earlier]) => earlier?.id),
    );
    const got = await Promise.all(wanting);
    const opened = got.flatMap((one) => ('opened' in one ? [one.opened.id] : []));
    const refused = got.flatMap((one) => ('refused' in one ? [one.refused] : []));
    expect(opened).toHaveLength(1);
    expect(refused).toEqual(Array(5).fill(opened[0]));
  });

  it('of many that are written at once, only the one that fails is not written', async () => {
    const writes = ['a', 'b', 'c'].map((digest) => intents.open(intent({ digest })));
    const broken = intents.open(intent({ digest: 'd' }), () => {
      throw new Error('a judge that fails');
    });
    await expect(broken).rejects.toThrow('a judge that fails');
    await Promise.all(writes);
    await Promise.allSettled([intents.close('no such id', { state: 'applied' }), open({ digest: 'e' })]);
    expect((await intents.list()).map(({ digest }) => digest).sort()).toEqual(['a', 'b', 'c', 'e']);
  });

  it('shows what was applied until it was told, and for a day after that', async () => {
    const { id } = await open();
    await intents.close(id, { state: 'applied', resultId: 'r-1' });
    clock.advance(90 * 24 * 3_600_000);
    expect(await alike()).toEqual([id]);
    await intents.told(id);
    const toldAt = clock.now();
    clock.advance(24 * 3_600_000 - 1);
    expect(await alike()).toEqual([id]);
    await intents.told(id);
    expect(await intents.get(id)).toMatchObject({ toldAt });
    clock.advance(1);
    expect(await alike()).toEqual([]);
  });

  it('counts what was told in its order, whatever the clock says, and each once', async () => {
    const [first, second] = [await open(), await open({ digest: 'b' })];
    const before = await intents.lastTold();
    await intents.told(second.id);
    const between = await intents.lastTold();
    await intents.told(first.id);
    await intents.told(second.id);
    const last = await intents.lastTold();
    expect([between > before, last > between]).toEqual([true, true]);
    expect((await intents.get(first.id))?.toldSeq).toBe(last);
    expect((await intents.get(second.id))?.toldSeq).toBe(between);
    expect((await intents.list({ digest: 'b' }))[0]?.toldSeq).toBe(between);
  });

  it('keeps since when looks find nothing, until it is closed without that', async () => {
    const { id } = await open();
    const stands = async () => (await intents.get(id))?.emptySince;
    expect(await intents.close(id, { state: 'unknown', emptySince: 7 })).toMatchObject({ emptySince: 7 });
    expect(await stands()).toBe(7);
    await intents.close(id, { state: 'unknown' });
    expect(await stands()).toBeUndefined();
    await intents.close(id, { state: 'unknown', emptySince: 1_790_000_000_000 });
    await intents.close(id, { state: 'not_applied', emptySince: 1_790_000_000_000 });
    expect(await stands()).toBe(1_790_000_000_000);
  });

  it.each(['not_applied', 'conflict'] as const)('shows nothing that ended as %s', async (state) => {
    await intents.close((await open()).id, { state });
    expect(await alike()).toEqual([]);
  });

  it('takes telling of what was never opened for a defect', async () => {
    await expect(intents.told('no such id')).rejects.toThrow('no intent');
  });

  it.each(['applied', 'not_applied', 'conflict'] as const)(
    'wipes the request once it is %s',
    async (state) => {
      const { id } = await open();
      clock.advance(5000);
      const answered = await intents.close(id, { state, resultId: 'r-1', note: 'found by look-up' });
      const closed = await intents.get(id);
      expect(closed).toMatchObject(answered);
      expect(closed).not.toHaveProperty('request');
      expect(closed).toMatchObject({ state, resultId: 'r-1', note: 'found by look-up', externalId: 'T-1' });
      expect((closed?.updatedAt ?? 0) - (closed?.createdAt ?? 0)).toBe(5000);
    },
  );

  it('keeps the request and what is known while the outcome is unknown', async () => {
    const { id } = await open();
    await intents.close(id, { state: 'unknown', note: 'no answer in two minutes' });
    await intents.close(id, { state: 'unknown' });
    const unknown = { request: intent().request, note: 'no answer in two minutes' };
    expect(await intents.get(id)).toMatchObject(unknown);
    await intents.close(id, { state: 'applied', resultId: 'r-1' });
    expect(await intents.get(id)).toMatchObject({ state: 'applied', note: 'no answer in two minutes' });
  });

  it('never changes an outcome that is known, and answers with what stands', async () => {
    const { id } = await open();
    await intents.close(id, { state: 'applied', resultId: 'r-1' });
    const standing = await intents.close(id, { state: 'not_applied', resultId: 'r-2' });
    expect(standing).toMatchObject({ state: 'applied', resultId: 'r-1' });
    expect(await intents.get(id)).toMatchObject(standing);
  });

  it('lets what a person called not applied become applied, and nothing else', async () => {
    const { id } = await open();
    await intents.close(id, { state: 'not_applied', note: 'said by ana: it never arrived' });
    expect(await intents.close(id, { state: 'conflict' })).toMatchObject({ state: 'not_applied' });
    const note = 'found later, said by ana: it never arrived';
    const found = await intents.close(id, { state: 'applied', resultId: 'r-1', note });
    expect(found).toMatchObject({ state: 'applied', resultId: 'r-1', note });
    expect(await intents.get(id)).toMatchObject(found);
    const proven = await open({ digest: 'another' });
    await intents.close(proven.id, { state: 'not_applied', note: 'refused' });
    expect(await intents.close(proven.id, { state: 'applied' })).toMatchObject({ state: 'not_applied' });
  });

  it('takes closing what was never opened for a defect', async () => {
    await expect(intents.close('no such id', { state: 'applied' })).rejects.toThrow('no intent');
  });

  it('lists the newest first, by state, and no more than asked for', async () => {
    const ids: string[] = [];
    for (const digest of ['a', 'b', 'c']) ids.push((await open({ digest })).id);
    await intents.close(ids[1] ?? '', { state: 'applied' });
    const listed = async (filter: Parameters<Intents['list']>[0] = {}) =>
      (await intents.list(filter)).map(({ id }) => id);
    expect(await listed()).toEqual([...ids].reverse());
    expect(await listed({ states: ['open'] })).toEqual([ids[2], ids[0]]);
    expect(await listed({ states: ['open', 'unknown'], limit: 1 })).toEqual([ids[2]]);
    expect(await listed({ digest: 'b' })).toEqual([ids[1]]);
    expect(await listed({ limit: 1 })).toEqual([ids[2]]);
    expect(await intents.count()).toBe(3);
    expect(await listed({ states: [] })).toEqual([]);
  });

  it('lists what fits all that is asked: profile, command or group, time, and how the id begins', async () => {
    const listed = async (filter: IntentFilter) => {
      const found = (await intents.list(filter)).map(({ digest }) => digest);
      expect(await intents.count(filter)).toBe(found.length);
      return found;
    };
    const first = clock.now();
    const { id } = await open({ digest: 'a', command: 'tx fund', profile: 'live' });
    clock.advance(1_000);
    await open({ digest: 'b', command: 'tx create', subject: 'recipient-1' });
    await open({ digest: 'c', command: 'txt%' });
    expect(await listed({ command: 'tx' })).toEqual(['b', 'a']);
    expect(await listed({ command: 'tx fund' })).toEqual(['a']);
    expect(await listed({ command: 'tx%' })).toEqual([]);
    expect(await listed({ profile: 'live' })).toEqual(['a']);
    expect(await listed({ subject: 'recipient-1' })).toEqual(['b']);
    expect(await listed({ subject: 'recipient-2' })).toEqual([]);
    expect(await listed({ from: first + 1 })).toEqual(['c', 'b']);
    expect(await listed({ from: first, to: first })).toEqual(['a']);
    expect(await listed({ prefix: id.slice(0, 8) })).toEqual(['a']);
    expect(await listed({ prefix: '%' })).toEqual([]);
    // By the sequence of the journal, whatever the clock says.
    expect(await listed({ after: id })).toEqual(['c', 'b']);
    expect(await listed({ after: id, digest: 'c' })).toEqual(['c']);
    expect(await listed({ after: 'nobody' })).toEqual([]);
    expect(await listed({ prefix: id, profile: 'other' })).toEqual([]);
  });

  describe('keys that took the place of others', () => {
    const keys = (n: number) => ({ keyLast4: `000${n}`, keyPrint: `print ${n}` });
    const joined = (before: number, key: number, isProven = false): KeyJoin => ({
      baseUrl: 'https://api.example.com/v1',
      before: keys(before),
      key: keys(key),
      isProven,
      at: 1_700_000_000_000 - key,
    });

    it('are kept in the order in which they were written, for whoever else has the journal', async () => {
      const { intents, other } = kept;
      expect(await intents.joins()).toEqual([]);
      await intents.join(joined(1, 2));
      await other.join(joined(2, 3, true));
      const all = [joined(1, 2), joined(2, 3, true)];
      expect(await intents.joins()).toEqual(all);
      expect(await other.joins()).toEqual(all);
    });

    it('become proven, and stay so; one is kept once, however its URL is spelt', async () => {
      const { intents } = kept;
      await intents.join(joined(1, 2));
      await intents.join({ ...joined(1, 2, true), baseUrl: 'https://API.example.com/v1/' });
      await intents.join(joined(1, 2));
      expect(await intents.joins()).toEqual([joined(1, 2, true)]);
    });

    it('may take the place of several, and no key of itself', async () => {
      const { intents } = kept;
      await intents.join(joined(1, 3));
      await intents.join(joined(2, 3));
      expect(await intents.joins()).toEqual([joined(1, 3), joined(2, 3)]);
      await expect(intents.join(joined(3, 3))).rejects.toThrow('no key takes the place of itself');
    });
  });
});

describe('in PostgreSQL', () => {
  const dependencies = { clock: standingClock(), random: seededRandom(1) };

  it('a table that is not there opens nothing, and its name is a plain one', async () => {
    const missing = intentsInPostgres(pool, { ...dependencies, table: 'never_made' });
    await expect(missing.open(intent())).rejects.toThrow('never_made');
    expect(() => intentsInPostgres(pool, { ...dependencies, table: 'a; DROP TABLE b' })).toThrow(
      'plain table',
    );
  });

  it('gives a connection back whatever happens', async () => {
    const one = openPool(server, 1);
    const intents = intentsInPostgres(one, { ...dependencies, table: 'given_back' });
    await expect(intents.open(intent())).rejects.toThrow('given_back');
    await intents.prepare();
    expect(await intents.open(intent())).toHaveProperty('opened');
    await one.end();
  });
});
