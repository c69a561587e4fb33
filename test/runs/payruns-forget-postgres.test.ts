/** A run that is forgotten leaves nothing of a person in the tables of a PostgreSQL, whenever the process dies. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import type { PostgresPool } from '../../src/disk/postgres-queries.ts';
import type { PayRun, PayRuns } from '../../src/runs/store/port.ts';
import { postgresPayRuns } from '../../src/runs/store/postgres.ts';
import { about, found, MANY, paidRun, TERMS, WORDS } from '../support/forgotten-runs.ts';
import { isLong } from '../support/long.ts';
import { usePostgres } from '../support/one-postgres.ts';
import { postgresMaker } from '../support/payrun-stores.ts';

import { standingClock } from '../support/stores.ts';

const make = postgresMaker(usePostgres());

let kept: Awaited<ReturnType<ReturnType<typeof postgresMaker>>>;
beforeEach(async () => {
  kept = await make();
});
afterEach(() => kept.close());

const TABLES = ['payruns', 'payrun_rows', 'payrun_windows', 'payrun_sums', 'intents'];
const everything = async (): Promise<string> => {
  const rows = TABLES.map(
    async (name) => (await kept.pool.query(`SELECT t::text FROM remit_${name} t`)).rows,
  );
  return JSON.stringify(await Promise.all(rows));
};

it('no table says who was paid', async () => {
  const run = await paidRun(kept.runs, MANY);
  for (const text of WORDS) expect(await everything(), text).toContain(text);
  await kept.runs.forget(run.id, TERMS);
  expect(await kept.runs.clearForgotten()).toBe('of_server');
  const left = await everything();
  for (const text of WORDS) expect(left, text).not.toContain(text);
  expect(left).toContain('wages-2026-11-1');
});

it.runIf(isLong)('a death at any query leaves a run that can be forgotten, or one that is', async () => {
  const dyingAt = (at: number): { runs: PayRuns; asked: () => number } => {
    let asked = 0;
    const alive = (): void => {
      if (++asked >= at) throw new Error('it died');
    };
    const pool: PostgresPool = {
      async query(text, values) {
        alive();
        return kept.pool.query(text, values);
      },
      async connect() {
        const connection = await kept.pool.connect();
        return {
          async query(text, values) {
            if (text !== 'ROLLBACK') alive();
            return connection.query(text, values);
          },
          release: (error) => connection.release(error),
          on: (event, listener) => connection.on(event, listener),
          off: (event, listener) => connection.off(event, listener),
        };
      },
    };
    const runs = postgresPayRuns(pool, { clock: standingClock(), random: seededRandom(3) });
    return { runs, asked: () => asked };
  };
  const forget = async (runs: PayRuns, { id }: PayRun): Promise<void> => {
    await runs.forget(id, TERMS);
    await runs.clearForgotten();
  };
  const whole = dyingAt(Number.POSITIVE_INFINITY);
  await forget(whole.runs, await paidRun(kept.runs, 3, 'whole'));
  const seen = new Set<string>();
  for (let at = 1; at <= whole.asked(); at++) {
    const run = await paidRun(kept.runs, 3, `dead at ${at}`);
    await forget(dyingAt(at).runs, run).catch(() => undefined);
    const { forgotten } = await found(kept.runs, run);
    seen.add(forgotten === undefined ? 'as before' : forgotten.isOwed ? 'owed' : 'forgotten');
    if (forgotten === undefined) expect((await kept.runs.row(run.id, 'key-2'))?.body).toBe(about(2).body);
    await forget(kept.runs, run);
    expect((await found(kept.runs, run)).forgotten).toMatchObject({ isOwed: false });
    for (const text of WORDS)
      expect((await everything()).includes(text), `${text}, dead at ${at}`).toBe(false);
  }
  expect([...seen]).toEqual(['as before', 'owed']);
});
