/**
 * Workers on one PostgreSQL pay what keys signed that their own profile names. Whoever can write to the database can stop a run, and
 * gets no row paid: not one that was changed, and not one that nobody approved.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import type { SignedVerdict } from '../../src/runs/store/port.ts';
import { postgresPayRuns } from '../../src/runs/store/postgres.ts';
import { machineOf, setApprovers } from '../support/approvers.ts';
import type { Run } from '../support/cli.ts';
import { machine } from '../support/clock.ts';
import { isLong } from '../support/long.ts';
import { usePostgres } from '../support/one-postgres.ts';
import { openPool } from '../support/postgres.ts';
import { expectRefused, forgeryOf, paid, useSignedRuns } from '../support/signed-runs.ts';

const ROWS = 2;
const server = usePostgres();
let pool: pg.Pool;
let schemas = 0;
let url = '';
// Before anything of the runs: each test has a schema of its own.
beforeEach(async () => {
  url = `${server().url}?options=-c%20search_path%3Druns_${++schemas}`;
  pool = openPool({ url }, 1);
  await pool.query(`CREATE SCHEMA runs_${schemas}`);
  return () => pool.end();
});

const { bench, people, acme, plan, approve, pay, status } = useSignedRuns({ store: () => url });
const work = (): Promise<Run> => acme('batch', 'work', '--once', '-o', 'ndjson');

/** As somebody does who can write to the database. */
const write = async (sql: string, ...values: unknown[]): Promise<void> =>
  void (await pool.query(sql, values));
const BY_HAND = JSON.stringify({ by: 'mallory', profile: 'acme', keyLast4: '7f3c', at: 1 });

const approveByHand = (): Promise<void> =>
  write("UPDATE remit_payruns SET state = 'approved', approval = $1", BY_HAND);

/** With an accepted name and key, and a signature that is none. */
async function writeStatement(): Promise<void> {
  const [, , key = ''] = people.grace.line.trim().split(' ');
  const forged: SignedVerdict = {
    approver: 'grace',
    key,
    verdict: 'approve',
    until: '2099-01-01T00:00:00.000Z',
    at: '2026-01-05T09:00:00.000Z',
    replaces: [],
    signature: Buffer.alloc(64, 1).toString('base64'),
  };
  await write(
    "UPDATE remit_payruns SET state = 'approved', approval = $1, statements = $2",
    BY_HAND,
    JSON.stringify([forged]),
  );
}

/** Pays `to` with row 2. */
const payTo = (to: string, instead: string): Promise<void> =>
  write('UPDATE remit_payrun_rows SET body = replace(body, $1, $2) WHERE n = 2', instead, to);

/** The same, and plan and digest fit. */
async function forgeRun(to: string, instead: string): Promise<void> {
  const payruns = postgresPayRuns(pool, { clock: machine, random: seededRandom(1) });
  const { body, content, plan, digest } = await forgeryOf(payruns, instead, to);
  await write('UPDATE remit_payrun_rows SET body = $1, content = $2 WHERE n = 2', body, content);
  await write('UPDATE remit_payruns SET plan = $1, digest = $2', plan, digest);
}

let digest: string;
const signs =
  (...more: string[]) =>
  async (): Promise<void> => {
    const made = await approve(people.grace, digest, ...more);
    expect(made.code, made.stderr).toBe(0);
  };
const rejects = signs('--reject', '--because', 'row 2 left');
const all =
  (...steps: (() => unknown)[]) =>
  async (): Promise<void> => {
    for (const step of steps) await step();
  };

interface Case {
  /** What is done to a run of two rows. */
  done: () => Promise<unknown>;
  code: number;
  says: string;
  state: string;
  mended: () => Promise<unknown>;
  /** A run that is paused goes on by `batch run`; any other by the worker. */
  by?: 'run';
}
const NONE = 'left alone: the run "wages" is not approved: it has none of 1 signature';
const FORGED = 'did not come from the approver named there';
const cases: Record<string, Case> = {
  'by a key that it does not know': {
    done: () => approve(people.ada, digest),
    code: 2,
    says: NONE,
    state: 'approved',
    mended: signs(),
  },
  'that nobody approved': { done: async () => {}, code: 0, says: '', state: 'planned', mended: signs() },
  'that was rejected': {
    done: all(signs(), rejects),
    code: 0,
    says: '',
    state: 'paused',
    mended: signs(),
  },
  'that somebody without a key approved': {
    done: () => machineOf(bench, 'somebody', url).run(['batch', 'approve', 'wages', '--digest', digest]),
    code: 2,
    says: NONE,
    state: 'approved',
    mended: signs(),
  },
  'with a row that was changed in the database': {
    done: all(signs(), () => payTo('Thief', 'Obi')),
    code: 10,
    says: 'row 2 (E-1) was changed in the store',
    state: 'paused',
    mended: () => payTo('Obi', 'Thief'),
    by: 'run',
  },
  'with a signature that was written by hand': {
    done: writeStatement,
    code: 10,
    says: FORGED,
    state: 'approved',
    mended: signs(),
  },
  'whose signature was taken out': {
    done: all(signs(), () => write("UPDATE remit_payruns SET statements = '[]'")),
    code: 2,
    says: NONE,
    state: 'approved',
    mended: signs(),
  },
  'with a rejection whose mark was taken out by hand': {
    done: all(signs(), rejects, () =>
      write("UPDATE remit_payruns SET state = 'approved', rejection = NULL, why = NULL"),
    ),
    code: 1,
    says: 'left alone: the run "wages" was rejected by grace',
    state: 'approved',
    mended: signs(),
  },
  'with an approval that was written by hand': {
    done: approveByHand,
    code: 2,
    says: NONE,
    state: 'approved',
    mended: signs(),
  },
  'with rows, plan and digest that were changed together': {
    done: all(signs(), () => forgeRun('Thief', 'Obi')),
    code: 10,
    says: FORGED,
    state: 'approved',
    mended: () => forgeRun('Obi', 'Thief'),
  },
  'with a key that came into the file of approvers alone': {
    done: all(
      () => writeFileSync(join(bench.dir, 'approvers.txt'), people.ada.line.replace('ada', 'grace')),
      signs(),
    ),
    code: 2,
    says: NONE,
    state: 'approved',
    mended: async () => writeFileSync(join(bench.dir, 'approvers.txt'), people.grace.line),
  },
  'whose approval has ended': {
    done: all(signs(), () => bench.run('sandbox clock advance 8d')),
    code: 8,
    says: '',
    state: 'paused',
    mended: signs(),
    by: 'run',
  },
};

describe('a worker whose profile takes the key of grace', () => {
  beforeEach(async () => {
    const set = await setApprovers(bench, [people.grace]);
    expect(set.code, set.stderr).toBe(0);
    digest = await plan(ROWS);
  });

  it('pays nothing that was approved by hand, signed by another key, or changed after it; then each row once', async () => {
    await approveByHand();
    expectRefused(await work(), 2, NONE);
    await approve(people.ada, digest);
    expectRefused(await work(), 2, NONE);
    await signs()();
    await forgeRun('Thief', 'Obi');
    expectRefused(await work(), 10, FORGED);
    await forgeRun('Obi', 'Thief');
    await paysOnce(work);
  });

  it('tells a program what became of each run that it went through', async () => {
    await signs()();
    const path = join(bench.dir, 'tell');
    writeFileSync(path, '#!/bin/sh\ncat >> "$0.told"\n', { mode: 0o700 });
    const on = ['--on', `ended=${path}`, '--on', `paused=${path}`];
    const made = await acme('batch', 'work', '--once', ...on);
    expect(made.code, made.stderr).toBe(0);
    const told = readFileSync(`${path}.told`, 'utf8').trimEnd().split('\n');
    expect(told.map((line) => JSON.parse(line).data)).toEqual([
      expect.objectContaining({ event: 'ended', command: 'batch work', name: 'wages', ending: 'done' }),
    ]);
  });

  it.runIf(isLong)(
    'pays the run that is signed beside one that is not, and ends as the worse of the two',
    async () => {
      await signs()();
      const other = await plan(3, 'bonus');
      const plain = ['batch', 'approve', 'bonus', '--digest', other];
      expect((await machineOf(bench, 'somebody', url).run(plain)).code).toBe(0);
      const made = await work();
      expect([made.code, paid(made)]).toEqual([2, ROWS]);
      expect(made.stderr).toContain('left alone: the run "bonus" is not approved');
    },
  );

  it.runIf(isLong).each(Object.entries(cases))(
    'pays nothing of a run %s, and each row once when it is mended',
    async (_, one) => {
      await one.done();
      expectRefused(await work(), one.code, one.says);
      expect((await status()).state).toBe(one.state);
      await one.mended();
      await paysOnce(one.by === 'run' ? pay : work);
    },
  );
});

async function paysOnce(by: () => Promise<Run>): Promise<void> {
  const made = await by();
  expect([made.code, paid(made)], made.stderr).toEqual([0, ROWS]);
  const again = await work();
  expect([again.code, paid(again)]).toEqual([0, 0]);
}
